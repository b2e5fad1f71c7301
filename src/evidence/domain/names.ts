// Domain. Names of projects and tasks, and families of controls, as people give them.
import { InvalidEvidenceError } from './errors';

const LONGEST_NAME = 200;

/** One line, which becomes the name of a folder as well. */
export function checkedName(text: string, field = 'name'): string {
  const name = text.normalize('NFC').replace(/\s+/gu, ' ').trim();
  if (name === '') throw new InvalidEvidenceError(field, `${field} must not be empty.`);
  if (name.length > LONGEST_NAME) {
    throw new InvalidEvidenceError(field, `${field} has ${name.length} characters; ${LONGEST_NAME} are allowed.`);
  }
  if (/[\p{Cc}\p{Cf}]/u.test(name)) {
    throw new InvalidEvidenceError(field, `${field} must not contain control characters.`);
  }
  return name;
}

/** The id of a family in its catalogue: `AC`, `IR`. */
export function checkedFamily(text: string | null | undefined, field = 'control_family'): string | null {
  if (text === null || text === undefined) return null;
  const family = text.trim().toUpperCase();
  if (!/^[A-Z][A-Z0-9.-]{0,19}$/.test(family)) {
    throw new InvalidEvidenceError(field, `${field} must be the id of a control family, such as AC or IR.`);
  }
  return family;
}
