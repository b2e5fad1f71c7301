// Outbound adapter. The container engine when one answers; else a process, when the operator allowed it; else nobody.
// A run stays with the runner that it was begun with.
import type { RunnerEnd } from '../domain/run-outcome';
import type { ClassifierRunner, RunnerHealth, RunnerJob, RunnerState, RunnerTrace } from '../ports/classifier-runner';

export class ChosenRunner implements ClassifierRunner {
  private current: ClassifierRunner;

  constructor(
    private readonly engine: ClassifierRunner,
    private readonly fallback: ClassifierRunner | undefined,
  ) {
    this.current = engine;
  }

  async nameFor(runId?: string): Promise<string> {
    return (runId === undefined ? this.current : await this.of(runId)).nameFor();
  }

  async start(job: RunnerJob): Promise<void> {
    await this.choose();
    return this.current.start(job);
  }

  async state(runId: string): Promise<RunnerState> {
    const beside = (await this.fallback?.state(runId)) ?? 'absent';
    return beside === 'absent' ? this.engine.state(runId) : beside;
  }

  async observe(runId: string, beat: () => Promise<void>): Promise<RunnerEnd> {
    return (await this.of(runId)).observe(runId, beat);
  }

  async stop(runId: string): Promise<void> {
    return (await this.of(runId)).stop(runId);
  }

  async remove(runId: string): Promise<void> {
    return (await this.of(runId)).remove(runId);
  }

  async traces(): Promise<RunnerTrace[]> {
    const beside = (await this.fallback?.traces()) ?? [];
    return (await this.engine.check()).ok ? [...beside, ...(await this.engine.traces())] : beside;
  }

  async check(): Promise<RunnerHealth> {
    const engine = await this.choose();
    if (engine.ok || this.fallback === undefined) return engine;
    return this.fallback.check();
  }

  private async choose(): Promise<RunnerHealth> {
    const health = await this.engine.check();
    this.current = health.ok || this.fallback === undefined ? this.engine : this.fallback;
    return health;
  }

  private async of(runId: string): Promise<ClassifierRunner> {
    if (this.fallback !== undefined && (await this.fallback.state(runId)) !== 'absent') return this.fallback;
    return this.engine;
  }
}
