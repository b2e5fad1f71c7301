// Drive-sync. The commands, for cli.ts only. They ask the server, so nothing of the feature itself is loaded with them.
import { Module } from '@nestjs/common';
import { DRIVE_COMMANDS, DriveCommand } from './inbound/drive.cli';

@Module({ providers: [DriveCommand, ...DRIVE_COMMANDS] })
export class DriveSyncCliModule {}
