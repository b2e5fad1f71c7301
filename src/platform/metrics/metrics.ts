// Platform, metrics. The figures of this process, in the words of Prometheus. One registry object in the container,
// not prom-client's global one: several applications of one test run do not meet in it.
import { Logger } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface GaugeText {
  readonly name: string;
  readonly help: string;
}

/** Reads several gauges in one go, at a scrape. A figure that is left out or null is not exported. */
export type ReadGauges<K extends string> = () => Promise<Partial<Record<K, number | null>>>;

interface Contribution {
  readonly about: string;
  readonly fill: () => Promise<void>;
}

/** A scrape answers in time, with or without a contributor that hangs. */
const CONTRIBUTION_DEADLINE_MS = 2_000;

export class Metrics {
  readonly contentType: string;
  private readonly logger = new Logger('Metrics');
  private readonly registry = new Registry();
  private readonly contributions: Contribution[] = [];
  private readonly failures: Counter<'contributor'>;
  private scraping: Promise<string> | undefined;

  constructor() {
    this.contentType = this.registry.contentType;
    this.failures = this.counter(
      'horarium_metrics_failures_total',
      'Gauges that could not be read at a scrape.',
      'contributor',
    );
  }

  /** The process itself: memory, event loop, garbage collection. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  counter<L extends string = never>(name: string, help: string, ...labelNames: L[]): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  histogram<L extends string = never>(name: string, help: string, buckets: number[], ...labels: L[]): Histogram<L> {
    return new Histogram({ name, help, buckets, labelNames: labels, registers: [this.registry] });
  }

  /** Gauges that are filled whenever somebody scrapes. `about` names the contributor when it fails. */
  contribute<K extends string>(about: string, gauges: Record<K, GaugeText>, read: ReadGauges<K>): void {
    const made = Object.entries<GaugeText>(gauges).map(([key, text]) => ({ key: key as K, gauge: this.gauge(text) }));
    this.contributions.push({
      about,
      fill: async () => {
        // Emptied first: an old figure must not pass for a present one when reading fails.
        for (const { gauge } of made) gauge.remove();
        const values = await withinDeadline(read());
        for (const { key, gauge } of made) {
          const value = values[key];
          if (typeof value === 'number') gauge.set(value);
        }
      },
    });
  }

  /** The whole page. Scrapes at the same time share one reading, so that they cannot pile up on the database. */
  page(): Promise<string> {
    this.scraping ??= this.scrape().finally(() => (this.scraping = undefined));
    return this.scraping;
  }

  private async scrape(): Promise<string> {
    await Promise.all(this.contributions.map((contribution) => this.fill(contribution)));
    return this.registry.metrics();
  }

  private async fill({ about, fill }: Contribution): Promise<void> {
    try {
      await fill();
    } catch (error) {
      this.failures.inc({ contributor: about });
      this.logger.debug(`The gauges of ${about} could not be read: ${String(error)}`);
    }
  }

  private gauge({ name, help }: GaugeText): Gauge {
    return new Gauge({ name, help, registers: [this.registry] });
  }
}

async function withinDeadline<T>(reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer within ${CONTRIBUTION_DEADLINE_MS} ms`)),
      CONTRIBUTION_DEADLINE_MS,
    );
  });
  return Promise.race([reading, late]).finally(() => clearTimeout(timer));
}
