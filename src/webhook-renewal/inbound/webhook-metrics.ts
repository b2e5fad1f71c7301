// Inbound. What became of messages.
import type { Counter } from 'prom-client';
import type { Metrics } from '../../platform/metrics/metrics';

const OUTCOMES = ['taken', 'unknown', 'limited', 'failed'] as const;

export class WebhookMetrics {
  private readonly messages: Counter<'outcome'>;

  constructor(metrics: Metrics) {
    this.messages = metrics.counter(
      'horarium_drive_messages_total',
      'Messages to the webhook of Google Drive.',
      'outcome',
    );
    for (const outcome of OUTCOMES) this.messages.inc({ outcome }, 0);
  }

  counted(outcome: (typeof OUTCOMES)[number]): void {
    this.messages.inc({ outcome });
  }
}
