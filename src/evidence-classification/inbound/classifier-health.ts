// Inbound. What the health page says of whoever runs the classifier.
import type { HealthIndicator, HealthReading } from '../../platform/health/health-indicators';
import type { CheckRunner } from '../usecases/check-runner';

export class ClassifierHealth implements HealthIndicator {
  readonly name = 'classifier';
  readonly mustHave = false;

  constructor(private readonly checkRunner: CheckRunner) {}

  async check(): Promise<HealthReading> {
    const { ok, name: runner, figures, waiting } = await this.checkRunner.run();
    if (!ok) {
      // Most installations never classify anything: only what waits is a trouble.
      const message = `no container engine answers, and processes are not allowed: ${waiting ? 'classification runs wait' : 'nothing is classified'}`;
      return { status: waiting ? 'warn' : 'ok', message, runner: 'none', ...figures };
    }
    if (runner === 'process') return { status: 'warn', message: 'processes have no isolation', runner, ...figures };
    return { status: 'ok', runner, ...figures };
  }
}
