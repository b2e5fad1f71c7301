// Domain. What can be handed to an agent as a prompt.
import { InvalidInputError } from './errors';

/** Neither PostgreSQL text nor a program's argument can hold a NUL; a lone surrogate has no UTF-8 form. */
export function prompt(value: string): string {
  if (value.trim() === '') throw new InvalidInputError('prompt', 'prompt must not be empty.');
  if (value.includes('\0')) throw new InvalidInputError('prompt', 'prompt must not hold the character NUL (U+0000).');
  if (/\p{Surrogate}/u.test(value)) {
    throw new InvalidInputError('prompt', 'prompt holds half of a surrogate pair, which is no character.');
  }
  return value;
}
