// Use case. From a stored run to what its driver is told. The one place that looks up the assistant of a run.
import type { AgentRun } from '../domain/agent-run';
import { LaunchFailedError } from '../domain/errors';
import type { AssistantDirectory } from '../ports/assistant-directory';
import type { AssistantDriver, AssistantDrivers, Heard, Launch } from '../ports/assistant-driver';
import type { LiveOutput } from '../ports/live-output';
import type { Neighbours } from '../ports/neighbours';
import type { ThreadRepository } from '../ports/thread-repository';

export interface DriverAndLaunch {
  readonly driver: AssistantDriver;
  readonly launch: Launch;
}

export class Launches {
  private dead: { readonly instanceId: string; readonly folder: Promise<string | null> } | undefined;

  constructor(
    private readonly assistants: AssistantDirectory,
    private readonly drivers: AssistantDrivers,
    private readonly threads: ThreadRepository,
    private readonly live: LiveOutput,
    private readonly neighbours: Neighbours = { folderOf: () => Promise.resolve(null) },
  ) {}

  /** To start a run, with all that its agent must know. */
  async toStart(run: AgentRun): Promise<DriverAndLaunch> {
    const known = this.known(run);
    if (known === undefined) {
      throw new LaunchFailedError(
        `The assistant "${run.fields.assistantId}" is no longer among the operator's assistants.`,
      );
    }
    const { driver, launch } = known;
    // Most assistants keep no conversation: their runs cost no question.
    if (!driver.capabilities(launch.assistant).conversations) return known;
    const { owner, threadId, assistantId } = run.fields;
    return {
      driver,
      launch: { ...launch, agentSession: await this.threads.agentSession(owner, threadId, assistantId) },
    };
  }

  /** To ask about a run, or to end it. Undefined: the operator has taken its assistant away. */
  known(run: AgentRun): DriverAndLaunch | undefined {
    const { id: agentRunId, requestId, owner, threadId, prompt, metadata, workingFolder, assistantId } = run.fields;
    const assistant = this.assistants.find(assistantId);
    if (assistant === undefined) return undefined;
    const launch: Launch = {
      ...{ assistant, agentRunId, requestId, owner, threadId, prompt, metadata, workingFolder },
      agentSession: null,
      said: (stream, chunk) => this.live.said(agentRunId, stream, chunk),
      heard: () => this.heard(agentRunId),
    };
    return { driver: this.drivers.of(assistant), launch };
  }

  /** The same for a run whose process is dead, with where on this machine that one may have left something of it. */
  async abandoned(run: AgentRun): Promise<DriverAndLaunch | undefined> {
    const known = this.known(run);
    const { instanceId } = run.fields;
    if (known === undefined || instanceId === null) return known;
    const leftIn = await this.folderOf(instanceId);
    if (leftIn === null) return known;
    return { ...known, launch: { ...known.launch, leftIn, heard: () => this.heard(run.id, leftIn) } };
  }

  /** What earlier processes have left behind here, driver by driver. */
  async leftBehind(): Promise<{ readonly driver: AssistantDriver; readonly requestIds: readonly string[] }[]> {
    const left = this.drivers.all().map(async (driver) => ({ driver, requestIds: await driver.leftBehind() }));
    return (await Promise.all(left)).filter(({ requestIds }) => requestIds.length > 0);
  }

  /** Nothing more will be said in this run. */
  async saidAll({ id }: AgentRun): Promise<void> {
    await this.live.finish(id);
  }

  /** Ends the agent of a run, also of one whose assistant is gone: then whoever knows the request is told. */
  async cancel(run: AgentRun, reason: string): Promise<void> {
    const { requestId } = run.fields;
    const known = this.known(run);
    if (known !== undefined) return known.driver.cancel(requestId, reason, known.launch);
    for (const driver of this.drivers.all()) await driver.cancel(requestId, reason);
  }

  /** A dead process leaves many runs at once; where it lived is asked once. */
  private async folderOf(instanceId: string): Promise<string | null> {
    if (this.dead?.instanceId !== instanceId) {
      const folder = this.neighbours.folderOf(instanceId);
      this.dead = { instanceId, folder };
      folder.catch(() => (this.dead = undefined));
    }
    return this.dead.folder;
  }

  private async heard(agentRunId: string, dataFolder?: string): Promise<Heard> {
    const heard = { output: '', error_output: '' };
    const reader = this.live.read(agentRunId, 0, dataFolder);
    try {
      for (let pieces = await reader.next(); pieces.length > 0; pieces = await reader.next()) {
        for (const { stream, text } of pieces) heard[stream] += text;
      }
    } finally {
      await reader.close();
    }
    return { output: heard.output, errorOutput: heard.error_output };
  }
}
