// Platform, command line. The database, for the commands that work on it directly; opened when the first of them needs
// it, so that `--help` asks nobody.
import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Sessions, type Connect } from '../persistence/sessions';

@Module({})
export class CliDatabaseModule implements OnApplicationShutdown {
  constructor(private readonly sessions: Sessions) {}

  static on(connect: Connect): DynamicModule {
    return {
      module: CliDatabaseModule,
      global: true,
      providers: [{ provide: Sessions, useFactory: () => new Sessions(connect) }],
      exports: [Sessions],
    };
  }

  /** Why it could not be opened has been said by the command that needed it. */
  async onApplicationShutdown(): Promise<void> {
    await this.sessions.close().catch(() => undefined);
  }
}
