// Lines of progress: of what the program says only what has the right shape is taken.
import { progressOf } from '../../../src/evidence-classification/domain/progress';

const given = new Set(['evidence-1']);
const line = (more: object): string => JSON.stringify({ file: 'evidence-1', state: 'done', family: 'AC', ...more });

it('takes a suggestion', () => {
  expect(progressOf(line({ confidence: 0.5, words: ['access'] }), given)).toEqual({
    evidenceId: 'evidence-1',
    state: 'done',
    controlFamily: 'AC',
    confidence: 0.5,
    words: ['access'],
    error: null,
  });
});

it.each([
  ['no JSON', 'x'],
  ['no object', '3'],
  ['a file that was not given', line({ file: 'evidence-2' })],
  ['a family that is none', line({ family: "AC'; drop table" })],
  ['a state that is none', line({ state: 'approved' })],
  ['a line without end', line({ words: ['x'.repeat(70_000)] })],
])('passes over %s', (_, text) => expect(progressOf(text, given)).toBeUndefined());

it('cuts what is too much, and leaves out what is no text', () => {
  const found = progressOf(
    line({ confidence: 7, words: ['a\u0000\u202Eb', 1, ...Array<string>(99).fill('w'.repeat(99))] }),
    given,
  );
  expect(found).toMatchObject({ confidence: null });
  expect(found?.words).toHaveLength(20);
  expect(found?.words[0]).toBe('a b');
  expect(found?.words[1]).toHaveLength(60);
  const failed = progressOf(JSON.stringify({ file: 'evidence-1', state: 'failed', error: 'e'.repeat(999) }), given);
  expect(failed?.error).toHaveLength(500);
});
