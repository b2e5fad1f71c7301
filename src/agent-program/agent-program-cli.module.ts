// The agent's program. Where port meets adapter; for cli.ts only. Needs Config, Clock and CliOutput from global modules,
// and no database.
import { Module } from '@nestjs/common';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ProgramsModule, RunHere } from '../agent-run';
import { Clock } from '../kernel/clock';
import { token } from '../kernel/token';
import { Config } from '../platform/config/config';
import { CliOutput } from '../platform/protocol/cli-output';
import { version } from '../platform/version';
import { bind, construct, provide } from '../platform/wiring';
import { AgentCommand, AgentEnrollCommand, AgentRunProgramCommand } from './inbound/agent.cli';
import { AgentSendCommand } from './inbound/send.cli';
import { OwnVersion } from './inbound/own-version';
import { Patience } from './inbound/patience';
import { FormEvidenceServer } from './outbound/form-evidence-server';
import { FileIdentityStore } from './outbound/file-identity-store';
import { JsonServer } from './outbound/json-server';
import { JsonWorkServer } from './outbound/json-work-server';
import { LocalPrograms } from './outbound/local-programs';
import { P256Keys } from './outbound/p256-keys';
import { EvidenceServer } from './ports/evidence-server';
import { IdentityStore } from './ports/identity-store';
import { Keys } from './ports/keys';
import { Programs } from './ports/programs';
import { Server } from './ports/server';
import { WorkServer } from './ports/work-server';
import { DoWork } from './usecases/do-work';
import { EnrollMachine } from './usecases/enroll-machine';
import { SendEvidence } from './usecases/send-evidence';
import { KeepPresence } from './usecases/keep-presence';
import { ServeMachine } from './usecases/serve-machine';
import type { Surroundings } from './usecases/surroundings';
import { WorkOnRun } from './usecases/work-on-run';

const Around = token<Surroundings>('Surroundings');
/** Of what a stop may take, the part that programs need which do not end by themselves: their grace, and the last report. */
const LAST_SECONDS = 12;

@Module({
  imports: [ProgramsModule],
  providers: [
    provide(IdentityStore, ({ dataDir }: Config) => new FileIdentityStore(join(dataDir, 'remote-agent')), [Config]),
    bind(Keys, P256Keys, []),
    // NODE_EXTRA_CA_CERTS names those that not every machine trusts.
    provide(JsonServer, () => new JsonServer(), []),
    provide(Server, (server: JsonServer) => server, [JsonServer]),
    bind(WorkServer, JsonWorkServer, [JsonServer]),
    bind(EvidenceServer, FormEvidenceServer, [JsonServer]),
    construct(SendEvidence, [IdentityStore, EvidenceServer]),
    provide(Programs, programs, [RunHere, Config]),
    provide(OwnVersion, () => new OwnVersion(version()), []),
    provide(Patience, patience, [Config]),
    provide(Around, surroundings, [CliOutput]),
    construct(EnrollMachine, [IdentityStore, Keys, Server]),
    construct(KeepPresence, [IdentityStore, Keys, Server, Clock, Around]),
    construct(WorkOnRun, [WorkServer, Programs, Around]),
    construct(DoWork, [WorkServer, Programs, WorkOnRun, Around]),
    construct(ServeMachine, [KeepPresence, DoWork]),
    AgentCommand,
    AgentEnrollCommand,
    AgentRunProgramCommand,
    AgentSendCommand,
  ],
})
export class AgentProgramCliModule {}

function programs(here: RunHere, { assistantsFile }: Config): Programs {
  return new LocalPrograms(here, assistantsFile);
}

function patience({ shutdownDeadlineSeconds }: Config): Patience {
  return new Patience(Math.max(0, shutdownDeadlineSeconds - LAST_SECONDS) * 1_000);
}

function surroundings(output: CliOutput): Surroundings {
  return {
    wait: (seconds, signal) => pause(seconds * 1_000, undefined, { signal }).catch(() => undefined),
    chance: Math.random,
    say: (line) => output.note(line),
    seconds: () => performance.now() / 1_000,
  };
}
