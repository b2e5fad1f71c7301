// Bounds that a poller relies on, wide enough for a busy machine: medians of processor time, not of the wall clock.
import { parseCron } from '../../../src/schedule/domain/cron-expression';
import { nextInstant } from '../../../src/schedule/domain/next-instant';
import { TimeZone, timeZone } from '../../../src/schedule/domain/time-zone';
import { offsetSource } from '../../../src/schedule/domain/zone-offsets';

function microseconds(work: () => void, rounds = 9): number {
  const costs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    work();
    const used = process.cpuUsage(before);
    costs.push(used.user + used.system);
  }
  return costs.sort((a, b) => a - b)[Math.floor(rounds / 2)]!;
}

const ORDINARY = ['* * * * *', '*/5 * * * *', '0 9 * * *', '0 9 * * 1-5', '0 0 1 * *', '59 23 31 12 *', '0 0 13 * 5'];
const SPARSEST: [cron: string, zone: string, after: string][] = [
  ['0 0 29 2 *', 'America/New_York', '2096-02-29T12:00:00Z'],
  ['59 23 29 2 *', 'Australia/Lord_Howe', '2096-03-01T00:00:00Z'],
  ['0 * 29 2 *', 'Africa/Casablanca', '2096-03-01T00:00:00Z'],
  ['0 9 * * *', 'Australia/Lord_Howe', '2026-04-04T06:00:00Z'],
];

describe('what the next instant costs', () => {
  it.each(ORDINARY)('%s, asked again and again: under 100 µs (about 1 µs on an idle machine)', (text) => {
    const cron = parseCron(text);
    const zone = timeZone('America/New_York');
    const work = (): void => {
      for (let i = 0; i < 100; i++) nextInstant(cron, zone, new Date(Date.UTC(2026, 5, 1, i)));
    };
    work();
    expect(microseconds(work) / 100).toBeLessThan(100);
  });

  it.each(SPARSEST)('%s in %s from %s, in a zone never asked about: under 5 ms', (text, name, after) => {
    const cron = parseCron(text);
    offsetSource(name)(0);
    const cost = microseconds(() => nextInstant(cron, new TimeZone(name, offsetSource(name)), new Date(after)));
    expect(cost).toBeLessThan(5_000);
  });

  it('looks up a zone for the days that matter only', () => {
    let reads = 0;
    const read = offsetSource('America/New_York');
    const counted = new TimeZone('Test/Counted', (instant) => {
      reads++;
      return read(instant);
    });
    nextInstant(parseCron('0 0 29 2 *'), counted, new Date('2096-03-01T00:00:00Z'));
    expect(reads).toBeLessThan(200);
    reads = 0;
    nextInstant(parseCron('0 0 29 2 *'), counted, new Date('2096-03-01T00:00:00Z'));
    expect(reads).toBe(0);
  });
});
