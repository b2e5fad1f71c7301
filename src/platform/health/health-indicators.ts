// Platform, health. What features and the ground say about themselves. A registry: platform knows no feature, so a
// feature fills in its own line (its module calls `add`).

export interface HealthReading {
  /** `fail` of a must-have makes the process not ready; everything else is for people to read. */
  readonly status: 'ok' | 'warn' | 'fail';
  /** One sentence when it is not ok: what is wrong, and what would mend it. Anybody can read it: no secrets. */
  readonly message?: string;
  /** Figures, in wire spelling: `latency_ms`. */
  readonly [figure: string]: string | number | boolean | null | undefined;
}

export interface HealthIndicator {
  /** In wire spelling: `database`. */
  readonly name: string;
  readonly mustHave: boolean;
  check(): Promise<HealthReading> | HealthReading;
}

export interface HealthReport {
  readonly status: 'ok' | 'warn' | 'fail';
  readonly checks: Readonly<Record<string, HealthReading & { must_have: boolean }>>;
}

/** A probe answers in time; what has not answered by then is not well. */
const CHECK_DEADLINE_MS = 2_000;
/** Probes are public: however many come, the checks run once in this time. */
const REPORT_AGE_MS = 500;

export class HealthIndicators {
  private readonly indicators = new Map<string, HealthIndicator>();
  private latest: { readonly report: Promise<HealthReport>; readonly at: number } | undefined;

  constructor(private readonly monotonicMs: () => number = () => performance.now()) {}

  add(indicator: HealthIndicator): void {
    if (this.indicators.has(indicator.name)) throw new Error(`two health checks are called ${indicator.name}`);
    this.indicators.set(indicator.name, indicator);
    this.latest = undefined;
  }

  /** From now on this process is not ready, whatever else is well: it stops, and new work belongs elsewhere. */
  drain(): void {
    const message = 'this process is stopping: it takes no new work';
    this.add({ name: 'stopping', mustHave: true, check: () => ({ status: 'fail', message }) });
  }

  report(): Promise<HealthReport> {
    if (this.latest === undefined || this.monotonicMs() - this.latest.at > REPORT_AGE_MS) {
      this.latest = { report: this.checkAll(), at: this.monotonicMs() };
    }
    return this.latest.report;
  }

  private async checkAll(): Promise<HealthReport> {
    const indicators = [...this.indicators.values()];
    const readings = await Promise.all(indicators.map((indicator) => reading(indicator)));
    const checks: Record<string, HealthReading & { must_have: boolean }> = {};
    indicators.forEach(({ name, mustHave }, index) => {
      const found = readings[index];
      if (found !== undefined) checks[name] = { ...found, must_have: mustHave };
    });
    const all = Object.values(checks);
    if (all.some(({ status, must_have }) => must_have && status === 'fail')) return { status: 'fail', checks };
    return { status: all.every(({ status }) => status === 'ok') ? 'ok' : 'warn', checks };
  }
}

async function reading(indicator: HealthIndicator): Promise<HealthReading> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<HealthReading>((resolve) => {
    const message = `no answer within ${CHECK_DEADLINE_MS / 1_000} s`;
    timer = setTimeout(() => resolve({ status: 'fail', message }), CHECK_DEADLINE_MS);
  });
  try {
    return await Promise.race([Promise.resolve(indicator.check()), late]);
  } catch {
    // The error's own words may name hosts and users; the log has them, the public page does not.
    return { status: 'fail', message: 'the check itself failed; the log says why' };
  } finally {
    clearTimeout(timer);
  }
}
