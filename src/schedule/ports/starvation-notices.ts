// Port. Tells the rest of the house that due tasks find no place.
import { token } from '../../kernel/token';

export interface StarvationNotices {
  /**
   * Tells each tenant whose tasks have been due since before `dueBefore` how many of them wait, unless it was told after
   * `notToldSince`: once, whichever processes find it at the same time. Answers how many tenants were told.
   */
  tell(order: { readonly now: Date; readonly dueBefore: Date; readonly notToldSince: Date }): Promise<number>;
}

export const StarvationNotices = token<StarvationNotices>('StarvationNotices');
