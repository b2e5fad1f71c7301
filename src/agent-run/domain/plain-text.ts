// Domain. What PostgreSQL can store as text, and a program can be given.
import { InvalidInputError } from './errors';

/** Neither can hold a NUL, and half of a surrogate pair has no UTF-8 form. */
export function plainText(field: string, value: string): string {
  if (value.includes('\0')) throw new InvalidInputError(field, `${field} must not hold the character NUL (U+0000).`);
  if (/\p{Surrogate}/u.test(value)) {
    throw new InvalidInputError(field, `${field} holds half of a surrogate pair, which is no character.`);
  }
  return value;
}

/** Whether something stored could be called so; whoever asks for anything else need not ask the database. */
export function couldBeId(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text);
}
