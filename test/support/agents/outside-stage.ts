// Test support. What the stages of agents outside share: a database with its runs, a bell for wakes, and how such an agent
// behaves.
import { randomUUID } from 'node:crypto';
import { AgentRun } from '../../../src/agent-run/domain/agent-run';
import type { Assistant } from '../../../src/agent-run/domain/assistant';
import { SqlAgentRunRepository } from '../../../src/agent-run/outbound/sql-agent-run-repository';
import { SqlOutsideRuns } from '../../../src/agent-run/outbound/sql-outside-runs';
import type { AssistantDriver, Launch, Started } from '../../../src/agent-run/ports/assistant-driver';
import { Sessions } from '../../../src/platform/persistence/sessions';
import { testDatabase } from '../database';
import type { Behaviour } from './driver-stage';

/** Wakes within this process, as the house's wake channel has them. */
export class Bell {
  private readonly listeners = new Map<string, Set<() => void>>();

  listen(topic: string, onWake: () => void): Promise<() => Promise<void>> {
    const set = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, set.add(onWake));
    return Promise.resolve(() => Promise.resolve(void set.delete(onWake)));
  }

  notify(topic: string): Promise<void> {
    for (const onWake of this.listeners.get(topic) ?? []) onWake();
    return Promise.resolve();
  }
}

export async function outsideWorld() {
  const database = await testDatabase();
  const bell = new Bell();
  const sessions = new Sessions(database.source, bell);
  const runs = new SqlAgentRunRepository(sessions, { windowMs: 0, max: 100, retryMs: 10 });
  const opened: SqlOutsideRuns[] = [];
  const outside = (): SqlOutsideRuns => {
    const one = new SqlOutsideRuns(sessions, bell);
    opened.push(one);
    return one;
  };
  return {
    database,
    bell,
    runs,
    outside,
    close: async () => {
      for (const one of opened) await one.stop();
      await database.close();
    },
  };
}

export type OutsideWorld = Awaited<ReturnType<typeof outsideWorld>>;

let count = 0;

export function outsideLaunch(assistant: Assistant, more: Partial<Launch> = {}): Launch {
  count += 1;
  return {
    assistant,
    agentRunId: `run-${count}`,
    requestId: `request-${count}`,
    threadId: `thread-${count}`,
    owner: { tenantId: 1, userId: 'alice' },
    prompt: 'hello',
    metadata: {},
    workingFolder: null,
    agentSession: null,
    said: () => undefined,
    heard: () => Promise.resolve({ output: '', errorOutput: '' }),
    ...more,
  };
}

/** As the house does it: a run is stored before its driver hears of it. */
export async function store({ runs }: OutsideWorld, launch: Launch): Promise<AgentRun> {
  const { agentRunId: id, requestId, owner, threadId, prompt, metadata, workingFolder, assistant } = launch;
  const fields = { id, requestId, owner, threadId, prompt, metadata, workingFolder, assistantId: assistant.id };
  const run = AgentRun.open({ ...fields, instanceId: 'here' }, new Date('2026-12-01T08:00:00Z'));
  await runs.open({ type: 'user', ...owner, roles: [] }, run, true);
  return run;
}

/** A driver whose runs are stored first; their ends are, too, so that their threads are free again. */
export function storing(world: OutsideWorld, driver: AssistantDriver): AssistantDriver {
  const started = new Set<string>();
  return new Proxy(driver, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== 'start') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      return async (launch: Launch): Promise<Started> => {
        const first = !started.has(launch.requestId);
        started.add(launch.requestId);
        const run = first ? await store(world, launch) : undefined;
        const under = await target.start(launch);
        if (run === undefined) return under;
        const ended = under.ended.then(async (end) => {
          await world.runs.recordEnd(run.endedWith(end, new Date('2026-12-01T09:00:00Z')));
          return end;
        });
        return Object.assign(under, { ended });
      };
    },
  });
}

/** What an agent of this behaviour tells in the end; null: it works until it is ended. */
export class OutsideAgent {
  private readonly behaviours = new Map<string, Behaviour>();
  private readonly conversations = new Map<string, string[]>();
  private readonly working = new Map<string, { at: Promise<void>; begin: () => void }>();

  behave(requestId: string, behaviour: Behaviour): void {
    this.behaviours.set(requestId, behaviour);
  }

  atWork(requestId: string): Promise<void> {
    return this.workOf(requestId).at;
  }

  answer(requestId: string, prompt: string, agentSession: string | null): object | null {
    const behaviour = this.behaviours.get(requestId);
    this.workOf(requestId).begin();
    switch (behaviour?.does) {
      case 'echo':
        return { result: prompt };
      case 'fail':
        return { error: behaviour.reason };
      case 'count':
        return { result: 'done', usage: { input_tokens: 10, output_tokens: 5 } };
      case 'remember': {
        const session = agentSession ?? randomUUID();
        const said = [...(this.conversations.get(session) ?? []), prompt];
        this.conversations.set(session, said);
        return { result: said.join('+'), agent_session: session };
      }
      case 'slow-down':
        return { rate_limited: true, error: 'Slow down.', retry_at: '2026-12-01T08:01:00Z' };
      case 'ask':
        return { input_needed: true, error: 'Which branch?' };
      default:
        return null;
    }
  }

  private workOf(requestId: string): { at: Promise<void>; begin: () => void } {
    const known = this.working.get(requestId);
    if (known !== undefined) return known;
    let begin = (): void => undefined;
    const at = new Promise<void>((resolve) => (begin = resolve));
    const work = { at, begin };
    this.working.set(requestId, work);
    return work;
  }
}
