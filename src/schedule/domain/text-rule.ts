// Domain rule: which texts can be kept exactly as they were sent, and how long they may be.
import { InvalidTaskError, PromptTooLongError } from './errors';

export const MAX_TITLE = 255;
export const MAX_PROMPT = 100_000;
export const MAX_WORKING_FOLDER = 4_096;
const MAX_ERROR = 4_000;

// With the `u` flag this matches a surrogate without its partner only; a pair is one code point and passes.
const LONE_SURROGATE = /\p{Surrogate}/u;

/** A title, unchanged: blanks, markup and any other Unicode stay as they are. */
export function title(text: unknown): string {
  const known = storable(text, 'title');
  if (known === '') throw new InvalidTaskError('title', 'A task needs a title of 1 to 255 characters.');
  const length = lengthUpTo(known, MAX_TITLE);
  if (length > MAX_TITLE) {
    throw new InvalidTaskError('title', `The title is longer than ${MAX_TITLE} characters: shorten it.`);
  }
  return known;
}

export function prompt(text: unknown): string {
  const known = storable(text, 'prompt');
  if (known === '') throw new InvalidTaskError('prompt', 'A task needs a prompt: what the assistant shall do.');
  if (lengthUpTo(known, MAX_PROMPT) > MAX_PROMPT) throw new PromptTooLongError(MAX_PROMPT);
  return known;
}

/** Refuses what PostgreSQL or UTF-8 cannot hold, by the name of the field: nothing is quietly replaced. */
export function storable(text: unknown, field: string): string {
  if (typeof text !== 'string') throw new InvalidTaskError(field, `${field} must be a text.`);
  if (text.includes('\0')) {
    throw new InvalidTaskError(field, `${field} contains a NUL character (U+0000), which cannot be stored: remove it.`);
  }
  if (LONE_SURROGATE.test(text)) {
    throw new InvalidTaskError(
      field,
      `${field} contains half of a surrogate pair, which is no character: send well-formed Unicode.`,
    );
  }
  return text;
}

/**
 * An error text of an agent or a driver, made fit to be kept. Here, and only here, text is changed: a run that ended
 * must be recorded whatever bytes its last words were made of.
 */
export function keptError(text: string): string {
  const fit = text.replaceAll('\0', '\u{fffd}').replace(/\p{Surrogate}/gu, '\u{fffd}');
  return lengthUpTo(fit, MAX_ERROR) > MAX_ERROR ? `${first(fit, MAX_ERROR)} … (cut)` : fit;
}

/** The first `count` characters; never half a surrogate pair. */
export function first(text: string, count: number): string {
  let kept = '';
  let taken = 0;
  for (const character of text) {
    if (taken++ === count) return kept;
    kept += character;
  }
  return text;
}

/** The number of characters (code points), counted no further than one past `limit`. */
function lengthUpTo(text: string, limit: number): number {
  if (text.length <= limit) return text.length;
  const characters = text[Symbol.iterator]();
  let length = 0;
  while (length <= limit && !characters.next().done) length++;
  return length;
}
