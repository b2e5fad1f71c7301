// One flush at a time, whose items hear of it in order; a thousand answers do not keep the next flush waiting.
import { MicroBatch } from '../../../src/platform/persistence/micro-batch';

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

test('what one turn of the event loop brings is one flush, answered item by item', async () => {
  const flushed: (readonly number[])[] = [];
  const batch = new MicroBatch<number, string>(
    (items) => {
      flushed.push(items);
      return Promise.resolve(items.map((item) => `answer to ${item}`));
    },
    { windowMs: 0, max: 10 },
  );
  await expect(Promise.all([batch.add(1), batch.add(2)])).resolves.toEqual(['answer to 1', 'answer to 2']);
  expect(flushed).toEqual([[1, 2]]);
});

test('more than one flush takes go in the next, in order', async () => {
  const flushed: number[] = [];
  const batch = new MicroBatch<number, number>(
    (items) => {
      flushed.push(items.length);
      return Promise.resolve(items);
    },
    { windowMs: 0, max: 10 },
  );
  await expect(Promise.all(numbers(0, 25).map((item) => batch.add(item)))).resolves.toEqual(numbers(0, 25));
  expect(flushed).toEqual([10, 10, 5]);
});

test('a flush that fails fails its own items, and no other', async () => {
  const batch = new MicroBatch<number, number>(
    (items) => (items.includes(3) ? Promise.reject(new Error('refused')) : Promise.resolve(items)),
    { windowMs: 0, max: 2 },
  );
  const ends = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => batch.add(item)));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled']);
});

test('the next flush begins while a large one is still being answered', async () => {
  const answered: number[] = [];
  const answeredAtFlush: number[] = [];
  const batch = new MicroBatch<number, number>(
    (items) => {
      answeredAtFlush.push(answered.length);
      return Promise.resolve(items);
    },
    { windowMs: 0, max: 1_000 },
  );
  for (const item of numbers(0, 2_000)) void batch.add(item).then((answer) => answered.push(answer));
  await batch.drain();
  expect(answered).toEqual(numbers(0, 2_000));
  expect(answeredAtFlush).toHaveLength(2);
  expect(answeredAtFlush[1]).toBeLessThan(1_000);
});

test('draining waits for the answers, too, and for nothing when there is nothing', async () => {
  const batch = new MicroBatch<number, number>((items) => Promise.resolve(items), { windowMs: 60_000, max: 1_000 });
  await batch.drain();
  let last: number | undefined;
  for (const item of numbers(0, 900)) void batch.add(item).then((answer) => (last = answer));
  await batch.drain();
  expect(last).toBe(899);
});
