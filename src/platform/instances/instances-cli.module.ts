// Platform, instances. The command, for cli.ts only.
import { Module } from '@nestjs/common';
import { InstancesCommand } from './instances.cli';

@Module({ providers: [InstancesCommand] })
export class InstancesCliModule {}
