// Outbound. What another feature shows this actor, and what it says does not exist.
import { DomainError } from '../../kernel/domain-error';

export async function seen(look: () => Promise<unknown>): Promise<boolean> {
  try {
    await look();
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not-found') return false;
    throw error;
  }
}
