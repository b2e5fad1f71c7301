// Platform, command line. The one command that is about the ground itself.
import { Module } from '@nestjs/common';
import { DoctorCommand } from './doctor.cli';

@Module({ providers: [DoctorCommand] })
export class DoctorCliModule {}
