// Platform, protocol. Hands the command line's output to every *.cli.ts.
import { Global, Module } from '@nestjs/common';
import { provide } from '../wiring';
import { CliOutput } from './cli-output';

@Global()
@Module({
  providers: [provide(CliOutput, () => new CliOutput(), [])],
  exports: [CliOutput],
})
export class ProtocolModule {}
