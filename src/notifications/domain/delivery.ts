// Domain. One fact on its way to one webhook: when it is tried again, and when no more.

/** `parked`: given up, kept for replay. */
export const DELIVERY_STATES = ['waiting', 'delivered', 'parked'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface Delivery {
  readonly id: string;
  readonly tenantId: number;
  readonly endpointId: string;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly giveUpAt: Date | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly lastAnswer: string | null;
  readonly lastDurationMs: number | null;
}

/** How one attempt ended. */
export interface Attempt {
  readonly ok: boolean;
  readonly status: number | null;
  /** For the log; null when it went well. */
  readonly error: string | null;
  /** The beginning of what was answered. */
  readonly answer: string | null;
  readonly durationMs: number;
  /** The receiver asks for a pause. */
  readonly retryAfterMs: number | null;
  /** The receiver says that it wants no more, ever (410). */
  readonly gone: boolean;
}

export const GIVE_UP_AFTER_MS = 24 * 3_600_000;
/** For so long nothing has come through: then the webhook is switched off. */
export const DISABLE_AFTER_MS = GIVE_UP_AFTER_MS;

const PAUSES_S = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600, 28_800];
const LONGEST_WISH_MS = 3_600_000;

/** @param chance from 0 to 1: receivers that failed together are not all tried at the same moment */
export function nextAttempt(
  { attempts, giveUpAt }: { attempts: number; giveUpAt: Date },
  { retryAfterMs }: Pick<Attempt, 'retryAfterMs'>,
  now: Date,
  chance: number,
): Date | null {
  const pauseMs = (PAUSES_S[Math.min(attempts, PAUSES_S.length) - 1] ?? 5) * 1_000 * (0.9 + 0.2 * chance);
  const at = new Date(now.getTime() + Math.max(pauseMs, Math.min(retryAfterMs ?? 0, LONGEST_WISH_MS)));
  if (now >= giveUpAt) return null;
  // The last try is at the very end of the day, and not hours before it.
  return at > giveUpAt ? giveUpAt : at;
}
