// Outbound. What the ends of runs are to the rest of the house: events, written with the ends themselves.
import type { NewEvent } from '../../platform/outbox';
import { streakAfter, streakFact } from '../domain/failure-streak';
import type { ScheduledRun } from '../domain/run';
import { hasEnded } from '../domain/run-status';

const TYPES: Readonly<Partial<Record<ScheduledRun['status'], string>>> = {
  success: 'run.succeeded',
  failed: 'run.failed',
  interrupted: 'run.interrupted',
};

export interface Ended {
  readonly facts: readonly NewEvent[];
  readonly streak: number;
}

/** An end, or the true end that corrects a presumed one; anything else is nobody's business. Skips are not told. */
export function factsOf(before: ScheduledRun, run: ScheduledRun, title: string, streak: number): Ended {
  const type = hasEnded(run.status) ? TYPES[run.status] : undefined;
  if (type === undefined || before.status === run.status || run.finishedAt === null) return { facts: [], streak };
  const after = streakAfter(streak, run.status);
  const { tenantId, userId } = run.owner;
  const task = { task_id: run.taskId, task_title: title, user_id: userId };
  const about = {
    ...task,
    run_id: run.id,
    agent_run_id: run.agentRunId,
    thread_id: run.threadId,
    trigger: run.trigger,
    scheduled_for: run.scheduledFor,
    started_at: run.startedAt,
    finished_at: run.finishedAt,
    reason: run.reason,
    error: run.error,
    ...(hasEnded(before.status) ? { corrected: true } : {}),
  };
  const occurredAt = run.finishedAt;
  const facts: NewEvent[] = [{ tenantId, type, payload: about, occurredAt }];
  const more = streakFact(streak, after);
  if (more !== null) {
    const payload = { ...task, run_id: run.id, failures_in_a_row: after === 0 ? streak : after, error: run.error };
    facts.push({ tenantId, type: more, payload, occurredAt });
  }
  return { facts, streak: after };
}
