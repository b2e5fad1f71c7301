// Outbound adapter, fills AssistantDriver: a program that is started anew for each run, exactly as the operator wrote
// it, as a process group of its own. How it is prepared, fenced, found, captured and ended lies in command/.
import { join } from 'node:path';
import type { Clock } from '../../kernel/clock';
import { settingsOf, type Assistant } from '../domain/assistant';
import type { RunEnd } from '../domain/run-end';
import type {
  AssistantDriver,
  DriverCapabilities,
  DriverStatus,
  Finding,
  Launch,
  Started,
} from '../ports/assistant-driver';
import { Child, signalGroup } from './command/child';
import { wordsOf } from './command/command-line';
import { unmetLimits } from './command/limits';
import { Preparation, type PreparationOptions } from './command/preparation';
import { findProgram, launchFailure } from './command/program';
import { endOfProgram, endUnheard } from './command/program-end';
import { RunTraces, type Trace, TRACES_FOLDER } from './command/run-traces';

export interface CommandDriverOptions extends PreparationOptions {
  readonly traces: RunTraces;
  readonly clock: Clock;
  readonly graceMs: number;
  readonly drainMs: number;
}

interface Flight {
  readonly child: Child;
  readonly started: Started;
  cancelled: string | undefined;
}

export class CommandDriver implements AssistantDriver {
  private readonly flights = new Map<string, Flight>();
  private readonly preparation: Preparation;

  constructor(private readonly options: CommandDriverOptions) {
    this.preparation = new Preparation(options);
  }

  capabilities(assistant: Assistant): DriverCapabilities {
    return { outlivesHouse: false, conversations: settingsOf(assistant, 'command').resume !== null };
  }

  async start(launch: Launch): Promise<Started> {
    const running = this.flights.get(launch.requestId);
    if (running !== undefined) return running.started;
    const start = await this.preparation.of(launch);
    const settings = settingsOf(launch.assistant, 'command');
    const limits = {
      outputBytes: settings.outputLimitBytes,
      timeoutMs: launch.assistant.timeoutSeconds * 1000,
      graceMs: this.options.graceMs,
      drainMs: this.options.drainMs,
    };
    const trace = await this.options.traces.begin(launch.requestId);
    const hear: Launch['said'] = (stream, chunk) => launch.said(stream, chunk);
    const child = await Child.start(start, limits, hear, trace?.fd)
      .catch(async (error: unknown) => {
        await this.forget(launch.requestId);
        const words = wordsOf(settings, launch);
        throw launchFailure(error, words.argv[0], words.prompt === 'argument');
      })
      .finally(() => trace?.close().catch(() => undefined));
    const flight: Flight = { child, started: { ended: this.endOf(launch, child) }, cancelled: undefined };
    this.flights.set(launch.requestId, flight);
    return flight.started;
  }

  async find(requestId: string, launch?: Launch): Promise<DriverStatus> {
    if (this.flights.has(requestId)) return { state: 'running' };
    const trace = await this.traceOf(requestId, launch);
    if (trace === undefined) return { state: 'unknown' };
    if (trace.exitCode === null) return { state: trace.livePid === undefined ? 'unknown' : 'running' };
    const heard = (await launch?.heard()) ?? { output: '', errorOutput: '' };
    return { state: 'ended', end: endUnheard(trace.exitCode, heard, launch, this.options.clock.now()) };
  }

  status(requestId: string): Promise<DriverStatus> {
    return Promise.resolve({ state: this.flights.has(requestId) ? 'running' : 'unknown' });
  }

  /** Its outputs ended with the process that read them. */
  adopt(): Promise<Started | null> {
    return Promise.resolve(null);
  }

  async cancel(requestId: string, reason: string, launch?: Launch): Promise<void> {
    const flight = this.flights.get(requestId);
    if (flight !== undefined) {
      flight.cancelled ??= reason;
      flight.child.terminate();
      return;
    }
    // Of a process that is dead: nobody reads its output any more, and nobody would wait for a grace.
    const orphan = (await this.traceOf(requestId, launch))?.livePid;
    if (orphan !== undefined) signalGroup(orphan, 'SIGKILL');
    await this.forget(requestId);
  }

  async leftBehind(): Promise<readonly string[]> {
    const traces = await this.options.traces.all();
    return traces.map(({ requestId }) => requestId).filter((requestId) => !this.flights.has(requestId));
  }

  async forget(requestId: string): Promise<void> {
    if (!this.flights.has(requestId)) await this.options.traces.remove(requestId).catch(() => undefined);
  }

  async inspect(assistant: Assistant): Promise<Finding[]> {
    const settings = settingsOf(assistant, 'command');
    const programs = new Set([settings.argv[0], ...(settings.resume === null ? [] : [settings.resume.argv[0]])]);
    const findings: Finding[] = [];
    const look = async (work: () => Promise<string>): Promise<void> => {
      await work().then(
        (what) => findings.push({ fine: true, what }),
        (error: Error) => findings.push({ fine: false, what: error.message }),
      );
    };
    const path = this.preparation.pathOf(settings);
    for (const program of programs) {
      await look(
        async () => `${program} is ${await findProgram(program, path, await this.preparation.userOf(settings))}.`,
      );
    }
    await look(async () => {
      const user = await this.preparation.userOf(settings);
      return `It runs as ${user?.name ?? 'the user that Horarium runs as'}.`;
    });
    for (const { name, value } of settings.env) {
      if (value !== null || this.options.environment[name] !== undefined) continue;
      findings.push({
        fine: true,
        what: `${name} is not set where Horarium was started: the program runs without it.`,
      });
    }
    for (const what of await unmetLimits(settings, path)) findings.push({ fine: false, what });
    return findings;
  }

  /** Another folder's traces are read and not removed: its next start clears up there. */
  private async traceOf(requestId: string, launch?: Launch): Promise<Trace | undefined> {
    const own = await this.options.traces.read(requestId);
    if (own !== undefined || launch?.leftIn === undefined) return own;
    return RunTraces.beside(join(launch.leftIn, TRACES_FOLDER)).read(requestId);
  }

  private async endOf(launch: Launch, child: Child): Promise<RunEnd> {
    const end = await child.ended;
    const cancelled = this.flights.get(launch.requestId)?.cancelled;
    this.flights.delete(launch.requestId);
    return endOfProgram(launch, end, cancelled, this.options.clock.now());
  }
}
