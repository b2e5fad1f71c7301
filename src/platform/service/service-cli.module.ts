// Platform, service. The commands, for cli.ts only. Needs Config and CliOutput from global modules, and no database.
import { Module } from '@nestjs/common';
import { Config } from '../config/config';
import { DataFolder } from '../data-folder/data-folder';
import { provide } from '../wiring';
import { ServiceInstallation } from './service-installation';
import { thisMachine } from './service-machine';
import { ServiceCommand, ServiceInstallCommand, ServiceRemoveCommand, ServiceStatusCommand } from './service.cli';

@Module({
  providers: [
    provide(ServiceInstallation, installation, [Config]),
    ServiceCommand,
    ServiceInstallCommand,
    ServiceStatusCommand,
    ServiceRemoveCommand,
  ],
})
export class ServiceCliModule {}

function installation({ dataDir, shutdownDeadlineSeconds }: Config): ServiceInstallation {
  const settings = { dataFolder: DataFolder.at(dataDir).path, shutdownDeadlineSeconds };
  return new ServiceInstallation(thisMachine(), settings);
}
