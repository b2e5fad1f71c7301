// Port. Where answers are kept, with every version that they ever had.
import type { UserActor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { Answer, AnswerVersion } from '../domain/answer';
import type { HistoryPage } from '../domain/listing';
import type { AnswerWrite, WriteDecision } from '../domain/write';

export interface AnswerBook {
  /** Answers changed after the survey's sequence number `sinceRev`; 0 asks for all. */
  answers(actor: UserActor, surveyId: string, sinceRev: number): Promise<Answer[]>;
  /** Newest first; of all fields, or of one. */
  history(actor: UserActor, surveyId: string, fieldKey: string | null, page: HistoryPage): Promise<AnswerVersion[]>;
  /**
   * Decides (domain/write.ts) on what is stored and writes what was decided, as one step that nothing comes in between:
   * no other answer, no other lock, no change of the survey. A written answer renews the lock that it was written under.
   */
  write(write: AnswerWrite, now: Date): Promise<WriteDecision>;
  /** Resolves when everything asked for so far is written. */
  drain(): Promise<void>;
}

export const AnswerBook = token<AnswerBook>('AnswerBook');
