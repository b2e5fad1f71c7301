// Domain. What the classifier says of each file, line by line. The program is not trusted: nothing of a line is taken that
// is not of the shape and the length that it must have.

export interface FileProgress {
  readonly evidenceId: string;
  readonly state: 'done' | 'failed';
  readonly controlFamily: string | null;
  readonly confidence: number | null;
  readonly words: readonly string[];
  readonly error: string | null;
}

const LONGEST_LINE = 65_536;
const MOST_WORDS = 20;

/** Undefined: no such line, or about a file that was not given. */
export function progressOf(line: string, given: ReadonlySet<string>): FileProgress | undefined {
  if (line.length > LONGEST_LINE) return undefined;
  let said: unknown;
  try {
    said = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof said !== 'object' || said === null) return undefined;
  const { file, state, family, confidence, words, error } = said as Record<string, unknown>;
  if (typeof file !== 'string' || !given.has(file)) return undefined;
  if (state === 'failed') {
    return { ...NOTHING, evidenceId: file, state, error: plain(typeof error === 'string' ? error : 'unreadable', 500) };
  }
  if (state !== 'done') return undefined;
  if (family === null) return { ...NOTHING, evidenceId: file, state };
  if (typeof family !== 'string' || !/^[A-Z][A-Z0-9.-]{0,19}$/.test(family)) return undefined;
  const sure = typeof confidence === 'number' && confidence >= 0 && confidence <= 1 ? confidence : null;
  return { evidenceId: file, state, controlFamily: family, confidence: sure, words: wordsOf(words), error: null };
}

const NOTHING = { controlFamily: null, confidence: null, words: [], error: null } as const;

function wordsOf(words: unknown): string[] {
  if (!Array.isArray(words)) return [];
  return words
    .filter((word): word is string => typeof word === 'string')
    .slice(0, MOST_WORDS)
    .map((word) => plain(word, 60));
}

function plain(text: string, longest: number): string {
  return text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, longest);
}
