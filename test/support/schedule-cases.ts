// Test support. The collected cases of scheduled tasks (test/cases/schedule.json). Each becomes one test that carries its
// id, on the level that can prove it. Where a case tells what another system does and ours decided otherwise, the test
// asserts our rule and says so.
import cases from '../cases/schedule.json';

export interface ScheduleCase {
  readonly id: string;
  readonly area: string;
  readonly given: string;
  readonly when: string;
  readonly then: string;
  readonly data?: unknown;
}

const ALL = cases as readonly ScheduleCase[];

/** The title of the test for a case: its id first. */
export function title(id: string): string {
  const { given, when, then } = theCase(id);
  return `${id}: ${given}; ${when}: ${then}`;
}

export function theCase(id: string): ScheduleCase {
  const found = ALL.find((one) => one.id === id);
  if (!found) throw new Error(`There is no case ${id}.`);
  return found;
}

export function dataOf<T>(id: string): T {
  return theCase(id).data as T;
}

/** The cases of an area whose data has all of these keys, ready for `test.each`: title, data. */
export function withData<T extends object>(area: string, ...keys: (keyof T & string)[]): [string, T][] {
  const matching = ALL.filter(
    ({ area: of, data }) =>
      of === area && typeof data === 'object' && data !== null && keys.every((key) => key in data),
  );
  if (matching.length === 0) throw new Error(`No case of ${area} has ${keys.join(', ')}.`);
  return matching.map(({ id, data }) => [title(id), data as T]);
}
