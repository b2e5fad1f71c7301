// Port. Who has a survey open. Kept by each process for its own connections; those of a dead one run out.
import type { UserActor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { LockHolder, Presence } from '../domain/lock';

export interface Attendance {
  readonly surveyId: string;
  readonly holder: LockHolder;
}

export interface PresenceBook {
  /** `connection` names the line that keeps it: a page that comes back on another one is not ended by the first's end. */
  arrive(actor: UserActor, surveyId: string, session: string, connection: string): Promise<void>;
  /** Whether it was there. */
  depart(actor: UserActor, surveyId: string, session: string): Promise<boolean>;
  /** These people, on all their pages. */
  departAll(actor: UserActor, surveyId: string, userIds: readonly string[]): Promise<void>;
  /** With the field that each is at. */
  present(actor: UserActor, surveyId: string): Promise<Presence[]>;
  /** What hung on this line, and on no newer one, ends after the grace. */
  shorten(connection: string): Promise<Attendance[]>;
  /** When the first of all is taken for gone unless there is a sign of life; null: nobody is there. */
  nextEnd(): Promise<Date | null>;
  /** A sign of life for all of them. */
  keep(connections: readonly string[]): Promise<void>;
  /** Each that has run out is answered once, over all processes. */
  endAbsent(): Promise<Attendance[]>;
}

export const PresenceBook = token<PresenceBook>('PresenceBook');
