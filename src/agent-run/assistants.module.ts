// Agent-run, the half that needs no database: which assistants there are and how they are executed. The command line
// uses it alone. Needs Config, Clock and Ids from global modules.
import { type DynamicModule, Inject, Module, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Clock } from '../kernel/clock';
import { Ids } from '../kernel/ids';
import { token } from '../kernel/token';
import { Config } from '../platform/config/config';
import { DataFolder } from '../platform/data-folder/data-folder';
import { homeFor } from '../platform/data-folder/outside-home';
import { OutboundHttp } from '../platform/http/outbound-http';
import { construct, provide } from '../platform/wiring';
import { AgentFolders } from './outbound/command/agent-folders';
import { detectIsolation, thisMachine, type Isolation } from './outbound/command/isolation';
import { houseUsers, knownUser } from './outbound/command/operating-user';
import { RunTraces, TRACES_FOLDER } from './outbound/command/run-traces';
import { CommandDriver } from './outbound/command-driver';
import { HttpDriver } from './outbound/http-driver';
import { KnownDrivers } from './outbound/known-drivers';
import { LangGraphDriver } from './outbound/langgraph-driver';
import { PullDriver } from './outbound/pull-driver';
import { RootedWorkingFolders } from './outbound/rooted-working-folders';
import { YamlAssistants } from './outbound/yaml-assistants';
import { AgentIsolation } from './ports/agent-isolation';
import { AssistantDirectory } from './ports/assistant-directory';
import { AssistantDrivers } from './ports/assistant-driver';
import { OutsideRuns } from './ports/outside-runs';
import { WorkingFolders } from './ports/working-folders';
import { CheckFolder } from './usecases/check-folder';
import { FetchableAssistants } from './usecases/fetchable-assistants';
import { FindAssistant } from './usecases/find-assistant';
import { ListAssistants } from './usecases/list-assistants';
import { RunHere } from './usecases/run-here';
import { TestAssistant } from './usecases/test-assistant';

/** Between asking a program to end and ending it. */
const GRACE_MS = 10_000;
/** For pipes that a program's descendants still hold when it is gone. */
const DRAIN_MS = 1_000;
/** For a service that has certainly not taken a run: it may just be starting anew. */
const HTTP_RETRIES_MS = [500, 2_000, 5_000];
/** How a run on a LangGraph server is followed; it is called lost when the server has denied it for half a minute. */
const LANGGRAPH_LOOKS = { lookMs: 1_000, missedLooks: 30 };
const SAMPLE_AGENT = join(__dirname, '..', '..', 'examples', 'sample-agent', 'agent.mjs');

/** What only the command driver knows; the rest of the house sees AgentIsolation. */
const Fence = token<Isolation>('Fence');
const HouseUsers = token<ReadonlyMap<number, string>>('HouseUsers');
const Folders = token<AgentFolders>('AgentFolders');

const PARTS = {
  providers: [
    provide(HouseUsers, ({ dataDir }: Config) => houseUsers(homeOf(dataDir)), [Config]),
    provide(Fence, fence, [Config, HouseUsers]),
    provide(AgentIsolation, (fence: Isolation) => fence, [Fence]),
    provide(Folders, agentFolders, [Config, Fence]),
    provide(WorkingFolders, workingFolders, [Config, Folders]),
    provide(AssistantDirectory, assistants, [Config, Folders]),
    provide(AssistantDrivers, drivers, [Config, Fence, HouseUsers, Folders, WorkingFolders, Clock, OutsideRuns]),
    construct(ListAssistants, [AssistantDirectory]),
    construct(FindAssistant, [AssistantDirectory]),
    construct(FetchableAssistants, [AssistantDirectory]),
    construct(RunHere, [AssistantDirectory, AssistantDrivers]),
    construct(CheckFolder, [AssistantDirectory, WorkingFolders]),
    construct(TestAssistant, [AssistantDirectory, AssistantDrivers, Ids]),
  ],
  exports: [
    AgentIsolation,
    AssistantDirectory,
    AssistantDrivers,
    ListAssistants,
    FindAssistant,
    FetchableAssistants,
    RunHere,
    CheckFolder,
    TestAssistant,
  ],
};

@Module({})
export class AssistantsModule implements OnApplicationShutdown {
  constructor(@Inject(AssistantDrivers) private readonly drivers: AssistantDrivers) {}

  async onApplicationShutdown(): Promise<void> {
    for (const driver of this.drivers.all()) await driver.stop?.();
  }

  /** `outside` provides OutsideRuns: what the drivers need of the storage, which is not there everywhere. */
  static with(outside: Type): DynamicModule {
    return { module: AssistantsModule, imports: [outside], ...PARTS, exports: [...PARTS.exports, outside] };
  }
}

/** Where the folders of other users lie, as far as there are any yet. */
function homeOf(dataDir: string): string {
  return homeFor(DataFolder.open(dataDir).path, undefined);
}

function fence({ agentUser }: Config, users: ReadonlyMap<number, string>): Promise<Isolation> {
  return detectIsolation(agentUser, { ...thisMachine, houseUsers: users });
}

/** After AgentFolders, which may have moved the home out of the data folder. */
function workingFolders({ workspaceRoots, dataDir }: Config, _: AgentFolders): WorkingFolders {
  return new RootedWorkingFolders(workspaceRoots, [DataFolder.open(dataDir).path, homeOf(dataDir)]);
}

function agentFolders({ dataDir }: Config, { user }: Isolation): Promise<AgentFolders> {
  return AgentFolders.open(homeFor(DataFolder.open(dataDir).path, user), user);
}

async function assistants({ assistantsFile }: Config, folders: AgentFolders): Promise<AssistantDirectory> {
  const node = await folders.reachable(process.execPath);
  const bundled = [node, await folders.reachable(SAMPLE_AGENT)] as const;
  return YamlAssistants.read({ file: assistantsFile, bundled, home: homedir() });
}

async function drivers(
  { dataDir, outboundAllow, publicUrl }: Config,
  isolation: Isolation,
  users: ReadonlyMap<number, string>,
  folders: AgentFolders,
  workingFolders: WorkingFolders,
  clock: Clock,
  outside: OutsideRuns,
): Promise<AssistantDrivers> {
  const dataFolder = DataFolder.open(dataDir).path;
  const traces = await RunTraces.open(join(dataFolder, TRACES_FOLDER));
  const fenced = { isolation, houseUsers: users };
  const limits = { graceMs: GRACE_MS, drainMs: DRAIN_MS };
  const environment = process.env;
  const http = new OutboundHttp(outboundAllow);
  return new KnownDrivers({
    command: new CommandDriver({
      ...{ dataFolder, folders, traces, environment, workingFolders, clock },
      ...fenced,
      ...limits,
    }),
    http: new HttpDriver({ http, outside, clock, environment, publicUrl, retryAfterMs: HTTP_RETRIES_MS }),
    langgraph: new LangGraphDriver({
      http,
      outside,
      clock,
      environment,
      retryAfterMs: HTTP_RETRIES_MS,
      ...LANGGRAPH_LOOKS,
    }),
    pull: new PullDriver(outside),
  });
}

/** What a person may have written wrong, found before anything is started for it. */
export async function checkAgents({ assistantsFile, agentUser }: Config): Promise<void> {
  await YamlAssistants.read({ file: assistantsFile, bundled: [process.execPath, SAMPLE_AGENT], home: homedir() });
  if (thisMachine.isRoot && agentUser !== undefined) await knownUser(agentUser);
}
