// Crypto. The commands, for cli.ts only. Needs ApiClient, CliOutput, Clock and HomeZone from a global module, and no database.
import { Module } from '@nestjs/common';
import { SecretsCommand, SecretsListCommand, SecretsResealCommand } from './secrets.cli';

@Module({ providers: [SecretsCommand, SecretsListCommand, SecretsResealCommand] })
export class SecretsCliModule {}
