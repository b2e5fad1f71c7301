// Timers of one process by the clock of the house: never early, in turns, and silent after a stop.
import type { Clock } from '../../src/kernel/clock';
import { TimerAlarm } from '../../src/schedule/outbound/timer-alarm';

const clock: Clock = { now: () => new Date() };
const soon = (): Date => new Date(Date.now() + 20);

test('it rings at the instant and not before it, and at once for one that has passed', async () => {
  const alarm = new TimerAlarm(clock);
  await expect(alarm.at(new Date(0))).resolves.toBe(true);
  const instant = soon();
  await expect(alarm.at(instant)).resolves.toBe(true);
  expect(Date.now()).toBeGreaterThanOrEqual(instant.getTime());
});

test('thousands who wait for one instant are woken in the order they came, with a turn for others in between', async () => {
  let now = new Date(0);
  const alarm = new TimerAlarm({ now: () => now });
  const instant = new Date(5);
  const woken: number[] = [];
  const turns = new Set<number>();
  let turn = 0;
  const tick = (): unknown => (woken.length < 1_000 ? ((turn += 1), setImmediate(tick)) : undefined);
  tick();
  const all = Promise.all(
    Array.from({ length: 1_000 }, async (_, index) => {
      await alarm.at(instant);
      woken.push(index);
      turns.add(turn);
    }),
  );
  now = instant;
  await all;
  expect(woken).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
  expect(turns.size).toBe(4);
});

test('silenced, everybody who waits goes home, and whoever comes later', async () => {
  const alarm = new TimerAlarm(clock);
  const waiting = alarm.at(new Date(Date.now() + 3_600_000));
  alarm.silence();
  await expect(waiting).resolves.toBe(false);
  await expect(alarm.at(new Date(0))).resolves.toBe(false);
});
