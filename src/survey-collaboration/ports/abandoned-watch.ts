// Port. Whoever ends what is abandoned sleeps while nobody fills a survey.
import { token } from '../../kernel/token';

export interface AbandonedWatch {
  /** Something ends sooner than could be known: look now. Never fails. */
  rouse(): void;
}

export const AbandonedWatch = token<AbandonedWatch>('AbandonedWatch');
