import { InProcessRunQueue } from '../../../src/agent-run/outbound/in-process-run-queue';
import type { AgentRun } from '../../../src/agent-run/domain/agent-run';
import type { Execution } from '../../../src/agent-run/ports/run-queue';
import { aRun, at } from '../../support/fakes/agent-run-builder';

let queue: InProcessRunQueue;
let begun: string[];
let endings: Map<string, () => void>;
const worker = {
  execute(run: AgentRun): Promise<Execution> {
    begun.push(run.id);
    return Promise.resolve({ startedAt: at(1), ended: new Promise<void>((resolve) => endings.set(run.id, resolve)) });
  },
};
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const run = (id: string, assistantId = 'a'): AgentRun => aRun({ id, assistantId });

beforeEach(() => {
  queue = new InProcessRunQueue();
  begun = [];
  endings = new Map();
  queue.serve(worker);
});

test('so many at once as there are places, the others in the order in which they came', async () => {
  const started = ['1', '2', '3', '4'].map((id) => queue.submit({ run: run(id), places: 2 }));
  expect(await Promise.all(started.slice(0, 2))).toEqual([{ startedAt: at(1) }, { startedAt: at(1) }]);
  expect(begun).toEqual(['1', '2']);
  endings.get('2')?.();
  await started[2];
  expect(begun).toEqual(['1', '2', '3']);
  endings.get('1')?.();
  endings.get('3')?.();
  await started[3];
  expect(begun).toEqual(['1', '2', '3', '4']);
});

test("one assistant's line does not hold up another's, and without a number there is no limit", async () => {
  void queue.submit({ run: run('1'), places: 1 });
  void queue.submit({ run: run('2'), places: 1 });
  await queue.submit({ run: run('3', 'b'), places: 1 });
  await Promise.all(['4', '5', '6'].map((id) => queue.submit({ run: run(id, 'c'), places: null })));
  expect(begun).toEqual(['1', '3', '4', '5', '6']);
});

test('a run that could not be started gives its place back', async () => {
  queue.serve({
    execute: (failing) => (failing.id === '1' ? Promise.reject(new Error('no')) : worker.execute(failing)),
  });
  const first = queue.submit({ run: run('1'), places: 1 });
  const second = queue.submit({ run: run('2'), places: 1 });
  await expect(first).rejects.toThrow('no');
  await second;
  expect(begun).toEqual(['2']);
});

test('who waits can be taken out, once; who works cannot', async () => {
  void queue.submit({ run: run('1'), places: 1 });
  const waiting = queue.submit({ run: run('2'), places: 1 });
  expect([queue.withdraw('2'), queue.withdraw('2'), queue.withdraw('1'), queue.withdraw('x')]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(await waiting).toBe('withdrawn');
  endings.get('1')?.();
  await turn();
  expect(begun).toEqual(['1']);
});

test('closed: who waits is told so, who comes too, who works goes on', async () => {
  await queue.submit({ run: run('1'), places: 1 });
  const waiting = queue.submit({ run: run('2'), places: 1 });
  queue.close();
  expect(await waiting).toBe('closed');
  expect(await queue.submit({ run: run('3'), places: 5 })).toBe('closed');
  endings.get('1')?.();
  await turn();
  expect(begun).toEqual(['1']);
});

test('nothing is lost that comes before there is a worker', async () => {
  const early = new InProcessRunQueue();
  const started = early.submit({ run: run('1'), places: 1 });
  await turn();
  expect(begun).toEqual([]);
  early.serve(worker);
  expect(await started).toEqual({ startedAt: at(1) });
});
