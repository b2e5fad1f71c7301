// Gives runs that wait their turn: when their task's last run has ended, their conversation is idle and a place is free.
// The first come first in each conversation; conversations do not wait for one another. What waits for one conversation is
// delivered in one turn of its agent, in order.
import type { ThisInstance } from '../../kernel/this-instance';
import type { SchedulePolicy } from '../domain/schedule-policy';
import type { DispatchLedger, WaitingRun } from '../ports/dispatch-ledger';
import type { RunLauncher } from '../ports/run-launcher';
import type { ScheduledTask } from '../domain/task';
import type { LaunchRun } from './launch-run';

/** Enough to fill every place many times over; who stands behind them is seen in a later round. */
const MOST = 1_000;
/** The end that they wait for may have been heard by nobody: its process has died, say. */
const LOOK_AGAIN_MS = 5_000;

type Ready = WaitingRun & { readonly task: ScheduledTask };

export class DeliverWaiting {
  constructor(
    private readonly ledger: DispatchLedger,
    private readonly launcher: RunLauncher,
    private readonly launch: LaunchRun,
    private readonly policy: SchedulePolicy,
    private readonly instance: ThisInstance,
  ) {}

  /** Answers when to look again; null when nobody waits, and whoever will is announced. */
  async run(now: Date): Promise<Date | null> {
    const waiting = await this.ledger.waitingRuns(MOST);
    if (waiting.length === 0) return null;
    await this.deliver(waiting, now);
    return new Date(now.getTime() + LOOK_AGAIN_MS);
  }

  private async deliver(waiting: readonly WaitingRun[], now: Date): Promise<void> {
    const still = await this.giveUpLate(waiting, now);
    const turns = turnsOf(still);
    const busy = await this.launcher.busyThreads([...turns.keys()]);
    const idle = [...turns].filter(([threadId]) => !busy.has(threadId)).map(([, turn]) => turn);
    const chosen = idle.flat().map(({ run }) => run.id);
    if (chosen.length === 0) return;
    const promoted = await this.ledger.promote(chosen, {
      now,
      instanceId: this.instance.id,
      leaseSeconds: this.policy.leaseSeconds,
      budget: this.policy.maxConcurrentRuns,
    });
    const got = new Map(promoted.map((claimed) => [claimed.run.id, claimed]));
    for (const turn of idle) {
      const claimed = turn.flatMap(({ run }) => got.get(run.id) ?? []);
      const [only] = claimed;
      if (claimed.length > 1) this.launch.detachTogether(claimed);
      else if (only !== undefined) this.launch.detach(only);
    }
  }

  private async giveUpLate(waiting: readonly WaitingRun[], now: Date): Promise<Ready[]> {
    const still: Ready[] = [];
    const given = waiting.map(async ({ run, task, blocked }) => {
      if (task === null) {
        const error = 'The stored task cannot be read any more.';
        return this.ledger.record(run.id, { type: 'wait-ended', reason: 'corrupt', error, at: now });
      }
      const limit = task.rule.queueTimeoutSeconds ?? this.policy.queueTimeoutSeconds;
      if (now.getTime() - run.createdAt.getTime() <= limit * 1_000) return void still.push({ run, task, blocked });
      const error = `Not started: it waited for its turn longer than the ${limit} s allowed.`;
      return this.ledger.record(run.id, { type: 'wait-ended', reason: 'queue_timeout', error, at: now });
    });
    await Promise.all(given);
    return still;
  }
}

/** For each thread what can be said to its agent in one turn: from the front of its line, as long as it is the same agent. */
function turnsOf(waiting: readonly Ready[]): Map<string, Ready[]> {
  const lines = new Map<string, Ready[]>();
  for (const one of waiting) {
    const line = lines.get(one.run.threadId) ?? [];
    lines.set(one.run.threadId, line);
    line.push(one);
  }
  const turns = new Map<string, Ready[]>();
  for (const [threadId, line] of lines) {
    const [head] = line;
    if (head === undefined || head.blocked) continue;
    const end = line.findIndex((one) => one.blocked || !sameAgent(one.task, head.task));
    turns.set(threadId, end < 0 ? line : line.slice(0, end));
  }
  return turns;
}

function sameAgent(a: ScheduledTask, b: ScheduledTask): boolean {
  return a.assistantId === b.assistantId && a.workingFolder === b.workingFolder;
}
