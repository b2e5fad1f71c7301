// Platform, persistence. Opens the connections when the application starts, and closes them after everything else.
import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { construct, provide } from '../wiring';
import { refuseBypass } from './bypass-guard';
import type { ConnectionSettings } from './data-source-options';
import { openDataSource } from './open-data-source';
import { PoolState } from './pool-state';
import { Sessions } from './sessions';
import { WakeChannel } from './wake-channel';

@Global()
@Module({})
export class PersistenceModule implements OnApplicationShutdown {
  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    private readonly channel: WakeChannel,
    private readonly sessions: Sessions,
  ) {}

  /** The schema is up to date: migrations are the front doors' business, before the application is made. */
  static connect(settings: ConnectionSettings): DynamicModule {
    return {
      module: PersistenceModule,
      providers: [
        { provide: DataSource, useFactory: () => connect(settings) },
        {
          provide: WakeChannel,
          useFactory: () => {
            const channel = new WakeChannel({ url: settings.url, applicationName: 'horarium wake' });
            channel.start();
            return channel;
          },
        },
        provide(Sessions, (source: DataSource, wakes: WakeChannel) => new Sessions(source, wakes), [
          DataSource,
          WakeChannel,
        ]),
        construct(PoolState, [DataSource]),
      ],
      exports: [Sessions, PoolState, WakeChannel],
    };
  }

  /** The last hook of a stop: until here the features may still write. */
  async onApplicationShutdown(): Promise<void> {
    await this.channel.stop();
    await this.sessions.hangUp();
    await this.source.destroy();
  }
}

async function connect(settings: ConnectionSettings): Promise<DataSource> {
  const source = await openDataSource(settings);
  await refuseBypass(source);
  return source;
}
