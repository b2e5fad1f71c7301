// Parse jobs. The commands, for cli.ts only. They ask the server.
import { Module } from '@nestjs/common';
import { ParseJobsCleanupCommand, ParseJobsCommand } from './inbound/parse-jobs.cli';

@Module({ providers: [ParseJobsCommand, ParseJobsCleanupCommand] })
export class ParseJobCliModule {}
