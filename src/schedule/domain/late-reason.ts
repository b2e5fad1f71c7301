// Domain rule: why a run was claimed late, for whoever asks in the morning what happened last night.

export const LATE_REASONS = ['nobody_looking', 'budget_full', 'waited'] as const;

/**
 * `nobody_looking`: no poller was at work at the planned instant; Horarium was stopped, or its machine asleep.
 * `budget_full`: every place was taken. `waited`: its task queues, and its last run or its conversation was busy.
 */
export type LateReason = (typeof LATE_REASONS)[number];

/** How well a poller has been looking. */
export interface Attention {
  /** Since when it has looked without a gap. */
  readonly since: Date;
  /** Since when it has found no free place; null: the last look found one. */
  readonly fullSince: Date | null;
}

/** Less is no lateness that needs a word. */
const LATE_MS = 5_000;

export function lateReason(scheduledFor: Date, now: Date, { since, fullSince }: Attention): LateReason | null {
  if (now.getTime() - scheduledFor.getTime() < LATE_MS) return null;
  if (scheduledFor < since) return 'nobody_looking';
  return fullSince === null ? null : 'budget_full';
}

/** What a further look makes of it: a gap longer than `gapMs` since the last one begins anew. */
export function attended(before: Attention | null, lastLook: Date | null, now: Date, gapMs: number): Attention {
  if (before === null || lastLook === null || now.getTime() - lastLook.getTime() > gapMs) {
    return { since: now, fullSince: null };
  }
  return before;
}
