// Outbound adapter. A run is a container: no network, nothing to write to but `out`, no rights, bounded memory, processes
// and time. Its name makes a second start find the first; its label says whose it is.
import { RunnerFailedError, RunnerUnreachableError } from '../domain/errors';
import type { RunnerEnd } from '../domain/run-outcome';
import type { ClassifierRunner, RunnerHealth, RunnerJob, RunnerState, RunnerTrace } from '../ports/classifier-runner';
import { Engine, type EngineAnswer, type EngineCall, unframed } from './docker/engine';

export interface DockerSettings {
  readonly address: string;
  /** Whose containers they are, when several installations share an engine. */
  readonly installation: () => Promise<string>;
  readonly memoryMib: number;
  readonly cpus: number;
  readonly beatMs?: number;
  readonly stopGraceSeconds?: number;
}

const RUN = 'app.horarium.run';
const INSTALLATION = 'app.horarium.installation';
const nameOf = (runId: string): string => `horarium-run-${runId}`;

interface Inspection {
  readonly State: { Running: boolean; Status: string; ExitCode: number; OOMKilled: boolean; Error: string };
}

export class DockerRunner implements ClassifierRunner {
  private readonly engine: Engine;

  constructor(private readonly settings: DockerSettings) {
    this.engine = new Engine(settings.address);
  }

  nameFor(): Promise<string> {
    return Promise.resolve('docker');
  }

  async start(job: RunnerJob): Promise<void> {
    const name = nameOf(job.runId);
    const created = await this.call('POST', `/containers/create?name=${name}`, {
      body: this.wanted(job, await this.settings.installation()),
    });
    if (created.status === 404) throw new RunnerFailedError('image_missing', `The engine has no image ${job.image}.`);
    // The name is taken: by ourselves, before a crash.
    if (created.status !== 201 && created.status !== 409) throw refused('be created', created);
    const started = await this.call('POST', `/containers/${name}/start`);
    if (started.status === 204 || started.status === 304) return;
    throw refused('be started', started);
  }

  async state(runId: string): Promise<RunnerState> {
    const found = await this.inspect(runId);
    if (found === undefined) return 'absent';
    // Made, and never started: our own crash came in between. Starting it again finds it by its name.
    if (found.State.Status === 'created') return 'absent';
    return found.State.Running ? 'running' : 'exited';
  }

  async observe(runId: string, beat: () => Promise<void>): Promise<RunnerEnd> {
    const { beatMs = 1_000 } = this.settings;
    for (;;) {
      const found = await this.inspect(runId).catch((error: unknown) => {
        // The engine is being started anew, perhaps: the run is not lost for that. Its deadline is watched by the beat.
        if (error instanceof RunnerUnreachableError) return 'unreachable' as const;
        throw error;
      });
      if (found === undefined) return { exitCode: null, outOfMemory: false, output: 'the container is gone' };
      if (found !== 'unreachable' && !found.State.Running) return this.endOf(runId, found);
      await beat();
      await this.ended(runId, beatMs);
    }
  }

  async stop(runId: string): Promise<void> {
    const { stopGraceSeconds: grace = 10 } = this.settings;
    const timeoutMs = (grace + 20) * 1_000;
    const stopped = await this.call('POST', `/containers/${nameOf(runId)}/stop?t=${grace}`, { timeoutMs });
    if ([204, 304, 404].includes(stopped.status)) return;
    // Not heeded, and it may run on: whoever wanted it asks again.
    throw new RunnerUnreachableError(`The container engine does not stop a container: ${wordsOf(stopped)}`);
  }

  async remove(runId: string): Promise<void> {
    const removed = await this.call('DELETE', `/containers/${nameOf(runId)}?force=true&v=true`);
    if (![204, 404, 409].includes(removed.status)) throw refused('be removed', removed);
  }

  async traces(): Promise<RunnerTrace[]> {
    const filters = encodeURIComponent(
      JSON.stringify({ label: [`${INSTALLATION}=${await this.settings.installation()}`] }),
    );
    const listed = await this.call('GET', `/containers/json?all=true&filters=${filters}`);
    const found = JSON.parse(listed.body.toString()) as { Labels: Record<string, string>; Created: number }[];
    return found.flatMap(({ Labels, Created }) => {
      const runId = Labels[RUN];
      return runId === undefined ? [] : [{ runId, startedAt: new Date(Created * 1_000) }];
    });
  }

  async check(): Promise<RunnerHealth> {
    try {
      const info = await this.call('GET', '/info', { timeoutMs: 5_000 });
      if (info.status !== 200) return { ok: false, message: `the engine answers ${info.status}`, figures: {} };
      const { ServerVersion, MemoryLimit, PidsLimit } = JSON.parse(info.body.toString()) as Record<string, unknown>;
      const limits = { memory_limit: MemoryLimit === true, pids_limit: PidsLimit === true };
      return { ok: true, figures: { engine: String(ServerVersion), ...limits } };
    } catch (error) {
      return { ok: false, message: (error as Error).message, figures: {} };
    }
  }

  /** Resolves when the container has ended, or after `ms`; whoever asks looks for himself. */
  private async ended(runId: string, ms: number): Promise<void> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), ms);
    const path = `/containers/${nameOf(runId)}/wait?condition=not-running`;
    await this.engine
      .call('POST', path, { timeoutMs: 0, signal: patience.signal })
      .then(({ status }) => (status === 200 ? undefined : pause(ms, patience.signal)))
      .catch(() => (patience.signal.aborted ? undefined : pause(ms, patience.signal)))
      .finally(() => clearTimeout(timer));
  }

  private async endOf(runId: string, { State }: Inspection): Promise<RunnerEnd> {
    const logs = await this.call('GET', `/containers/${nameOf(runId)}/logs?stdout=true&stderr=true&tail=50`).catch(
      () => undefined,
    );
    const output = logs?.status === 200 ? unframed(logs.body) : '';
    return { exitCode: State.ExitCode, outOfMemory: State.OOMKilled, output: `${State.Error} ${output}`.trim() };
  }

  private async inspect(runId: string): Promise<Inspection | undefined> {
    const found = await this.call('GET', `/containers/${nameOf(runId)}/json`);
    if (found.status === 404) return undefined;
    if (found.status !== 200) throw new RunnerUnreachableError(`The container engine answers ${found.status}.`);
    return JSON.parse(found.body.toString()) as Inspection;
  }

  private async call(method: string, path: string, more: EngineCall = {}): Promise<EngineAnswer> {
    try {
      return await this.engine.call(method, path, more);
    } catch (error) {
      throw new RunnerUnreachableError(`The container engine does not answer: ${(error as Error).message}`, error);
    }
  }

  private wanted({ runId, tenantId, image, folders, deadlineAt }: RunnerJob, installation: string): object {
    const { memoryMib, cpus } = this.settings;
    const memory = memoryMib * 1_048_576;
    return {
      Image: image,
      User: '65534:65534',
      NetworkDisabled: true,
      StopTimeout: 10,
      Labels: {
        [RUN]: runId,
        [INSTALLATION]: installation,
        'app.horarium.tenant': String(tenantId),
        'app.horarium.deadline': deadlineAt.toISOString(),
      },
      HostConfig: {
        NetworkMode: 'none',
        Memory: memory,
        MemorySwap: memory,
        PidsLimit: 128,
        NanoCpus: Math.round(cpus * 1e9),
        ReadonlyRootfs: true,
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges'],
        // Without an init a signal to the program would be ignored, and its death would read as exit 0.
        Init: true,
        // The exit state must be there until it was read.
        AutoRemove: false,
        RestartPolicy: { Name: 'no' },
        Tmpfs: { '/tmp': 'rw,noexec,nosuid,size=64m,mode=1777' },
        Binds: [`${folders.in}:/in:ro`, `${folders.out}:/out:rw`],
        LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '2' } },
        Ulimits: [{ Name: 'nofile', Soft: 1024, Hard: 1024 }],
        OomScoreAdj: 500,
      },
    };
  }
}

function refused(what: string, answer: EngineAnswer): RunnerFailedError {
  return new RunnerFailedError('start_failed', `The container cannot ${what}: ${wordsOf(answer).slice(0, 500)}`);
}

function wordsOf({ status, body }: EngineAnswer): string {
  try {
    const { message } = JSON.parse(body.toString()) as { message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // No JSON: its status has to do.
  }
  return `the engine answers ${status}`;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
