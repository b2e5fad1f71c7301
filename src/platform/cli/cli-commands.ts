// Platform, command line. Hands out the library's root command, which everything else hangs on.
import { Injectable } from '@nestjs/common';
import { type CommandRunner, InjectCommander } from 'nest-commander';

type Command = Parameters<CommandRunner['setCommand']>[0];

@Injectable()
export class CliCommands {
  constructor(@InjectCommander() readonly root: Command) {}
}
