// The agent's program. Where port meets adapter; for cli.ts only. Needs Config, Clock and CliOutput from global modules,
// and no database.
import { Module } from '@nestjs/common';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Clock } from '../kernel/clock';
import { token } from '../kernel/token';
import { Config } from '../platform/config/config';
import { CliOutput } from '../platform/protocol/cli-output';
import { version } from '../platform/version';
import { bind, construct, provide } from '../platform/wiring';
import { AgentCommand, AgentEnrollCommand, AgentRunProgramCommand } from './inbound/agent.cli';
import { OwnVersion } from './inbound/own-version';
import { FileIdentityStore } from './outbound/file-identity-store';
import { JsonServer } from './outbound/json-server';
import { P256Keys } from './outbound/p256-keys';
import { IdentityStore } from './ports/identity-store';
import { Keys } from './ports/keys';
import { Server } from './ports/server';
import { EnrollMachine } from './usecases/enroll-machine';
import { KeepPresence, type PresenceSurroundings } from './usecases/keep-presence';
import { ServeMachine } from './usecases/serve-machine';

const Surroundings = token<PresenceSurroundings>('PresenceSurroundings');

@Module({
  providers: [
    provide(IdentityStore, ({ dataDir }: Config) => new FileIdentityStore(join(dataDir, 'remote-agent')), [Config]),
    bind(Keys, P256Keys, []),
    // NODE_EXTRA_CA_CERTS names those that not every machine trusts.
    bind(Server, JsonServer, []),
    provide(OwnVersion, () => new OwnVersion(version()), []),
    provide(Surroundings, surroundings, [CliOutput]),
    construct(EnrollMachine, [IdentityStore, Keys, Server]),
    construct(KeepPresence, [IdentityStore, Keys, Server, Clock, Surroundings]),
    construct(ServeMachine, [KeepPresence]),
    AgentCommand,
    AgentEnrollCommand,
    AgentRunProgramCommand,
  ],
})
export class AgentProgramCliModule {}

function surroundings(output: CliOutput): PresenceSurroundings {
  return {
    wait: (seconds, signal) => pause(seconds * 1_000, undefined, { signal }).catch(() => undefined),
    chance: Math.random,
    say: (line) => output.note(line),
  };
}
