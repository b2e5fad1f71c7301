import { answerValue } from '../../../src/survey-collaboration/domain/answer-value';
import { surveyCsv } from '../../../src/survey-collaboration/domain/csv';
import { InvalidAnswerError, InvalidSurveyError } from '../../../src/survey-collaboration/domain/errors';
import {
  type FieldInput,
  LONGEST_TEXT,
  MOST_FIELDS,
  surveyFields,
} from '../../../src/survey-collaboration/domain/field';
import { aSurvey, NOON } from '../../support/surveys/survey-builder';

const fieldOf = (input: Omit<FieldInput, 'key' | 'label'>) =>
  surveyFields([{ key: 'k', label: 'A label', ...input }])[0]!;

describe.each([
  [
    'text',
    {},
    ['x', 'two\nlines', '日本 😀', 'x'.repeat(LONGEST_TEXT)],
    [1, true, {}, 'a\0b', '\ud800', 'x'.repeat(LONGEST_TEXT + 1)],
  ],
  ['text', { maxLength: 2 }, ['😀😀'], ['abc', '😀😀😀']],
  ['number', {}, [0, -1.5, 1e300], ['1', NaN, Infinity, true, [], {}]],
  ['number', { min: -1, max: 2 }, [-1, 2], [-1.1, 2.1]],
  ['choice', { options: ['a', 'b c'] }, ['a', 'b c'], ['A', '', 0, ['a']]],
  [
    'date',
    {},
    ['2027-03-31', '2028-02-29', '0001-01-01'],
    ['2027-02-29', '2027-13-01', '2027-3-1', '31.03.2027', 20270331, '2027-03-31T00:00'],
  ],
  [
    'file',
    {},
    [{ file_id: 'f', name: 'a b.pdf' }],
    [
      'f',
      { file_id: 'f' },
      { file_id: '', name: 'x' },
      { file_id: 'f', name: 'a\nb' },
      { file_id: 'f', name: 'n', x: 1 },
      [],
    ],
  ],
])('a field of type %s %j', (type, more, right, wrong) => {
  it.each(right.map((value) => [value]))('takes %j', (value) => {
    expect(answerValue(fieldOf({ type, ...more }), value)).toEqual(value);
  });
  it.each(wrong.map((value) => [value]))('refuses %j', (value) => {
    expect(() => answerValue(fieldOf({ type, ...more }), value)).toThrow(InvalidAnswerError);
  });
  it('takes null: the answer is taken back', () => {
    expect(answerValue(fieldOf({ type, ...more }), null)).toBeNull();
  });
});

it('an empty text takes the answer back, and minus zero is zero', () => {
  expect(answerValue(fieldOf({ type: 'text' }), '')).toBeNull();
  expect(Object.is(answerValue(fieldOf({ type: 'number' }), -0), 0)).toBe(true);
});

describe('the fields of a survey', () => {
  const ok = { key: 'a', label: 'A', type: 'text' };
  it.each<[string, FieldInput[], string]>([
    ['none', [], 'fields'],
    ['too many', Array.from({ length: MOST_FIELDS + 1 }, (_, n) => ({ ...ok, key: `a${n}` })), 'fields'],
    ['a key twice', [ok, ok], 'fields.1.key'],
    ['a key with a capital', [{ ...ok, key: 'A' }], 'fields.0.key'],
    ['a label of blanks', [{ ...ok, label: ' ' }], 'fields.0.label'],
    ['an unknown type', [{ ...ok, type: 'colour' }], 'fields.0.type'],
    ['what belongs to another type', [{ ...ok, options: ['x'] }], 'fields.0.options'],
    ['a choice of nothing', [{ ...ok, type: 'choice' }], 'fields.0.options'],
    ['an option twice', [{ ...ok, type: 'choice', options: ['x', 'x'] }], 'fields.0.options'],
    ['a range upside down', [{ ...ok, type: 'number', min: 2, max: 1 }], 'fields.0.max'],
    ['a text longer than an event', [{ ...ok, maxLength: LONGEST_TEXT + 1 }], 'fields.0.max_length'],
  ])('%s is refused, by the name of the field', (_, fields, field) => {
    expect(() => surveyFields(fields)).toThrow(InvalidSurveyError);
    expect(() => surveyFields(fields)).toThrow(expect.objectContaining({ field }));
  });
});

it('a table of comma-separated values is one that spreadsheets neither misread nor run', () => {
  const survey = aSurvey();
  const answer = { userId: '=cmd', version: 2, updatedAt: NOON, rev: 2 };
  const csv = surveyCsv(survey, [
    { ...answer, fieldKey: 'name', value: '=HYPERLINK("x"), or\r\nmore' },
    { ...answer, fieldKey: 'budget', value: -5 },
    { ...answer, fieldKey: 'contract', value: { file_id: 'f-1', name: 'a.pdf' } },
  ]);
  expect(csv.split('\r\n').slice(0, 1)).toEqual(['field_key,label,type,required,value,version,updated_by,updated_at']);
  expect(csv).toContain(
    `name,What is it called?,text,true,"'=HYPERLINK(""x""), or\r\nmore",2,'=cmd,2027-03-01T12:00:00.000Z\r\n`,
  );
  expect(csv).toContain('budget,What may it cost?,number,false,-5,2,');
  expect(csv).toContain('contract,The contract,file,false,a.pdf (f-1),2,');
  expect(csv).toContain('colour,Which colour?,choice,false,,0,,\r\n');
});
