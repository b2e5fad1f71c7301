// Stop time: one span for the whole stop, whatever its parts take.
import { StopTime } from '../../src/platform/stop-time';

test('it begins with the first question, and never is less than nothing', () => {
  let now = 5_000;
  const time = new StopTime(30, () => now);
  now = 9_000;
  expect(time.leftMs()).toBe(30_000);
  now += 12_000;
  expect(time.leftMs()).toBe(18_000);
  now += 60_000;
  expect(time.leftMs()).toBe(0);
});

test('a part that takes longer than there is time is not waited for', async () => {
  let now = 0;
  const time = new StopTime(30, () => now);
  await time.atMost(Promise.resolve());
  now = 30_000;
  await time.atMost(new Promise(() => undefined));
});
