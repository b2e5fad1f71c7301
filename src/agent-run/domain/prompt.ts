// Domain. What can be handed to an agent as a prompt.
import { InvalidInputError } from './errors';
import { plainText } from './plain-text';

export function prompt(value: string): string {
  if (value.trim() === '') throw new InvalidInputError('prompt', 'prompt must not be empty.');
  return plainText('prompt', value);
}
