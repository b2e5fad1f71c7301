// Platform, instances. Who is dead. Said by any process of any other, by these rules only, and written down before
// anybody acts on it.

/** How a process came to be dead: said by itself, by its successor on the data folder, or found by others. */
export type InstanceEnd = 'stopped' | 'replaced' | 'crashed' | 'silent';

/** A process whose heartbeat is late. */
export interface Suspect {
  readonly silentForSeconds: number;
  /** It holds its session still; null: it has none of its own that could be seen to go. */
  readonly sessionOpen: boolean | null;
  /** This machine knows that it is gone (same machine, same boot); null: it cannot be told from here. */
  readonly gone: boolean | null;
}

/** Three heartbeats: one may be late, two in a row are not. */
export const CRASHED_AFTER_SECONDS = 6;
/** The lease of a life: a process without contact for as long stops by itself well before (CUT_OFF_AFTER_MS). */
export const SILENT_AFTER_SECONDS = 60;
/** Without contact for as long a process launches nothing and ends what it has in hand: others take it for dead soon. */
export const CUT_OFF_AFTER_MS = 45_000;
/** From here on others look at a late heartbeat at all. */
export const LATE_AFTER_SECONDS = 3;

/**
 * Null: it is taken for alive.
 * @param steadyForSeconds for how long the judge itself has been in contact without any failure. After an outage everybody
 *   looks dead to whoever comes back first, so nobody is judged by silence before a whole lease of undisturbed contact.
 *   What the machine itself knows needs no such caution.
 */
export function judged(suspect: Suspect, steadyForSeconds: number): InstanceEnd | null {
  if (suspect.gone === true) return 'crashed';
  if (steadyForSeconds < SILENT_AFTER_SECONDS) return null;
  if (suspect.silentForSeconds > SILENT_AFTER_SECONDS) return 'silent';
  // On this machine, and there: whatever became of its session, it is no crash.
  if (suspect.gone === false) return null;
  return suspect.sessionOpen === false && suspect.silentForSeconds > CRASHED_AFTER_SECONDS ? 'crashed' : null;
}
