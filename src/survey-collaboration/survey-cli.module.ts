// Survey-collaboration. The commands, for cli.ts only. They ask the server, so nothing of the surveys is loaded with them.
import { Module } from '@nestjs/common';
import { SURVEY_COMMANDS, SurveyCommand } from './inbound/surveys.cli';

@Module({ providers: [SurveyCommand, ...SURVEY_COMMANDS] })
export class SurveyCliModule {}
