// Platform, protocol. What no text and no key of any request may contain, whatever its field allows.
import type { FieldProblem } from './problem';

/** Deeper than any request of ours; recursion further down the line must not meet its end. */
const DEEPEST = 32;

/**
 * What every object has by birth (`constructor`, `toString`, `__proto__`): class-transformer drops fields of these names
 * silently, and a merged `__proto__` changes every object.
 */
const FORBIDDEN_KEYS = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * The first fault of each field. PostgreSQL cannot store NUL, and half of a surrogate pair is no character: it
 * would come back as another text than was sent.
 * @param path the field that `value` stands in; empty for a body
 */
export function textFaults(value: unknown, path: string): FieldProblem[] {
  const faults: FieldProblem[] = [];
  examine(value, path, 0, faults);
  return faults;
}

function examine(value: unknown, path: string, depth: number, faults: FieldProblem[]): void {
  const field = path === '' ? 'body' : path;
  if (typeof value === 'string') {
    const fault = textFault(value);
    if (fault !== undefined) faults.push({ field, message: `${field} ${fault}` });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth === DEEPEST) {
    faults.push({ field, message: `${field} is nested more than ${DEEPEST} levels deep` });
    return;
  }
  for (const [key, part] of Object.entries(value)) {
    const fault = FORBIDDEN_KEYS.has(key)
      ? 'is not a known field'
      : textFault(key) && 'has a key that is no valid text';
    const inner = path === '' ? printable(key) : `${path}.${printable(key)}`;
    if (fault) faults.push({ field: inner, message: `${inner} ${fault}` });
    else examine(part, inner, depth + 1, faults);
  }
}

function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the NUL character';
  // With the u flag whole pairs are one character of another class: only lone halves match.
  if (/\p{Surrogate}/u.test(text)) return 'must not contain half of a surrogate pair';
  return undefined;
}

function printable(key: string): string {
  return key.replace(/[\p{Cc}\p{Surrogate}]/gu, '\uFFFD').slice(0, 100);
}
