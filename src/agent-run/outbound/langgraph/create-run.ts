// Outbound, langgraph driver. How a run gets onto its thread: made with it where there is none yet, offered again where it was
// certainly not taken, and not kept from it by runs of ours that are over in our books.
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../kernel/clock';
import type { Launch } from '../../ports/assistant-driver';
import { isUnderWay } from './graph-answer';
import type { Creation, GraphServer } from './graph-server';
import { remoteThread } from './remote-thread';

export interface Patience {
  readonly clock: Clock;
  /** Before each further attempt at a server that has certainly not taken the run. */
  readonly retryAfterMs: readonly number[];
  readonly lookMs: number;
}

/** Looks at a run that was told to end, before it is taken away instead. */
const LOOKS_AT_ENDING = 10;

export async function createRun(server: GraphServer, launch: Launch, patience: Patience): Promise<Creation> {
  const thread = remoteThread(launch);
  const { agentRunId, requestId, prompt, owner } = launch;
  const metadata = { ...launch.metadata, horarium_agent_run_id: agentRunId, horarium_thread_id: launch.threadId };
  const order = { thread, prompt, requestId, metadata, userId: owner.userId };
  let cleared = false;
  for (let attempt = 0; ;) {
    const creation = await server.create(order, patience.clock.now());
    if (creation.is === 'busy' && !cleared) {
      cleared = true;
      if (await isCleared(server, thread, requestId, patience.lookMs)) continue;
    }
    if (creation.is !== 'not-taken') return creation;
    const waitMs = patience.retryAfterMs[attempt++];
    if (waitMs === undefined) return creation;
    await pause(waitMs);
  }
}

/**
 * True: another attempt may go better. A server that does not make threads by itself calls a missing one busy; and one that was
 * killed keeps runs as running that nobody executes. What is ours on this thread is over in our books, since a thread has one
 * run at most: so it is ended there, too.
 */
async function isCleared(server: GraphServer, thread: string, requestId: string, lookMs: number): Promise<boolean> {
  try {
    if (await server.makeThread(thread)) return true;
    const inTheWay = await server.underWay(thread);
    const ours = inTheWay.filter((run) => run.requestId !== null && run.requestId !== requestId);
    for (const run of ours) await end(server, thread, run.id, lookMs);
    return ours.length === inTheWay.length;
  } catch {
    return false;
  }
}

async function end(server: GraphServer, thread: string, id: string, lookMs: number): Promise<void> {
  // Some servers answer only when the run is over, which one that nobody executes never is.
  void server.cancel(thread, id).catch(() => undefined);
  for (let look = 0; look < LOOKS_AT_ENDING; look++) {
    const run = await server.run(thread, id);
    if (run === null || !isUnderWay(run.status)) return;
    await pause(lookMs);
  }
  await server.remove(thread, id);
}
