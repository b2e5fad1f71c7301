// Platform, instances. Enters this process when the application starts, and takes it out when it stops.
import { Global, Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { ThisInstance } from '../../kernel/this-instance';
import { DatabaseClock } from '../clock';
import { Config } from '../config/config';
import { isRunning, ownIdentity, type ProcessIdentity } from '../host/processes';
import { Sessions } from '../persistence/sessions';
import { construct, provide } from '../wiring';
import { StopTime } from '../stop-time';
import { version } from '../version';
import { ClusterTurns } from './cluster-turns';
import { Heartbeat } from './heartbeat';
import { InstanceId } from './instance-id';
import { Instances } from './instances';
import { InstancesController } from './instances.controller';

@Global()
@Module({
  controllers: [InstancesController],
  providers: [
    provide(InstanceId, () => new InstanceId(randomUUID), []),
    provide(ThisInstance, (id: InstanceId) => id, [InstanceId]),
    construct(Instances, [Sessions]),
    construct(ClusterTurns, [Sessions, ThisInstance]),
    provide(StopTime, ({ shutdownDeadlineSeconds }: Config) => new StopTime(shutdownDeadlineSeconds), [Config]),
    provide(Heartbeat, heartbeat, [Instances, InstanceId, DatabaseClock, Config]),
  ],
  exports: [ThisInstance, InstanceId, Instances, ClusterTurns, Heartbeat, StopTime],
})
export class InstancesModule implements OnModuleInit, OnModuleDestroy {
  constructor(private readonly heartbeat: Heartbeat) {}

  async onModuleInit(): Promise<void> {
    await this.heartbeat.begin();
  }

  /** Nest stops the features first: what they had in hand has ended, or is written down as not ended. */
  async onModuleDestroy(): Promise<void> {
    await this.heartbeat.end();
  }
}

function heartbeat(instances: Instances, id: InstanceId, clock: DatabaseClock, config: Config): Heartbeat {
  const identity = ownIdentity();
  const card = {
    host: hostname(),
    pid: process.pid,
    dataFolder: resolve(config.dataDir),
    version: version(),
    identity,
  };
  return new Heartbeat(instances, id, card, { clock, isGone: (other) => isGone(identity, other) });
}

/** Only of a process of this very machine, since this very boot, can it be told that it is gone. */
function isGone(own: ProcessIdentity, other: unknown): boolean | null {
  const its = (other ?? {}) as Partial<ProcessIdentity>;
  if (own.boot === '' || its.boot !== own.boot || its.pid === undefined || its.started === undefined) return null;
  const runs = isRunning({ boot: own.boot, namespace: its.namespace ?? '', pid: its.pid, started: its.started });
  return runs === undefined ? null : !runs;
}
