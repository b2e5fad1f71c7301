// Rush: what starts runs goes before what writes down how they went.
import { Rush } from '../../../src/platform/persistence/rush';

/** What follows within this turn of the event loop. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

function watched(waiting: Promise<void>): { over: boolean } {
  const seen = { over: false };
  void waiting.then(() => (seen.over = true));
  return seen;
}

test('where nothing is urgent nobody waits', async () => {
  await new Rush(60_000).over();
});
test('a record waits until the last of the urgent work is done', async () => {
  const rush = new Rush(60_000);
  const [first, second] = [rush.begin(), rush.begin()];
  const record = watched(rush.over());
  first();
  await turn();
  expect(record.over).toBe(false);
  second();
  await turn();
  expect(record.over).toBe(true);
});
test('urgent work that follows from urgent work goes first, too', async () => {
  const rush = new Rush(60_000);
  const claim = rush.begin();
  const record = watched(rush.over());
  claim();
  const launch = await Promise.resolve().then(() => rush.begin());
  await turn();
  expect(record.over).toBe(false);
  launch();
  await turn();
  expect(record.over).toBe(true);
});
test('patience ends: a place that somebody waits for is set free during a rush that does not end', async () => {
  const rush = new Rush(1);
  rush.begin();
  await rush.over();
});
