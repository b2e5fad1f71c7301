// The state machine, cell by cell: every schedule type, trigger and status before.
import { SCHEDULE_TYPES } from '../../../src/schedule/domain/schedule-spec';
import type { ScheduleType } from '../../../src/schedule/domain/schedule-spec';
import {
  isTerminal,
  statusAfterCompletion,
  statusAfterFailure,
  statusAfterLaunch,
  statusAfterSkip,
  TASK_STATUSES,
  TRIGGERS,
} from '../../../src/schedule/domain/status';
import type { OutcomeStatus, TaskStatus, TerminalStatus, Trigger } from '../../../src/schedule/domain/status';
import { withData } from '../../support/schedule-cases';

type Cell = [type: ScheduleType, trigger: Trigger, before: TaskStatus, after: TaskStatus];
interface Data {
  schedule_type: ScheduleType;
  trigger: Trigger;
  before: TaskStatus;
  after: TaskStatus;
}

const LAUNCH: Cell[] = [
  ['once', 'scheduled', 'enabled', 'running'],
  ['once', 'scheduled', 'paused', 'running'],
  ['once', 'scheduled', 'running', 'running'],
  ['once', 'scheduled', 'completed', 'running'],
  ['once', 'scheduled', 'failed', 'running'],
  ['once', 'scheduled', 'cancelled', 'running'],
  ['once', 'manual', 'enabled', 'running'],
  ['once', 'manual', 'paused', 'running'],
  ['once', 'manual', 'running', 'running'],
  ['once', 'manual', 'completed', 'running'],
  ['once', 'manual', 'failed', 'running'],
  ['once', 'manual', 'cancelled', 'running'],
  ['cron', 'scheduled', 'enabled', 'enabled'],
  ['cron', 'scheduled', 'paused', 'enabled'],
  ['cron', 'scheduled', 'running', 'enabled'],
  ['cron', 'scheduled', 'completed', 'enabled'],
  ['cron', 'scheduled', 'failed', 'enabled'],
  ['cron', 'scheduled', 'cancelled', 'enabled'],
  ['cron', 'manual', 'enabled', 'enabled'],
  ['cron', 'manual', 'paused', 'paused'],
  ['cron', 'manual', 'running', 'enabled'],
  ['cron', 'manual', 'completed', 'enabled'],
  ['cron', 'manual', 'failed', 'enabled'],
  ['cron', 'manual', 'cancelled', 'enabled'],
];

const FAILURE: Cell[] = [
  ...TASK_STATUSES.map((before): Cell => ['once', 'scheduled', before, 'failed']),
  ...TASK_STATUSES.map((before): Cell => ['cron', 'scheduled', before, 'enabled']),
  ['once', 'manual', 'enabled', 'enabled'],
  ['once', 'manual', 'paused', 'paused'],
  ['once', 'manual', 'running', 'running'],
  ['once', 'manual', 'completed', 'completed'],
  ['once', 'manual', 'failed', 'failed'],
  ['once', 'manual', 'cancelled', 'cancelled'],
  ['cron', 'manual', 'enabled', 'enabled'],
  ['cron', 'manual', 'paused', 'paused'],
  ['cron', 'manual', 'running', 'running'],
  ['cron', 'manual', 'completed', 'completed'],
  ['cron', 'manual', 'failed', 'failed'],
  ['cron', 'manual', 'cancelled', 'cancelled'],
];

const COMPLETION: [ScheduleType, OutcomeStatus, TerminalStatus | null][] = [
  ['cron', 'success', null],
  ['cron', 'failed', null],
  ['cron', 'interrupted', null],
  ['once', 'success', 'completed'],
  ['once', 'failed', 'failed'],
  ['once', 'interrupted', 'cancelled'],
];

const EVERY_CELL = SCHEDULE_TYPES.length * TRIGGERS.length * TASK_STATUSES.length;

describe('the status after a launch', () => {
  test('has a cell for every type, trigger and status', () =>
    expect(new Set(LAUNCH.map(String)).size).toBe(EVERY_CELL));
  test.each(LAUNCH)('of a %s task, %s, that was %s, is %s', (type, trigger, before, after) => {
    expect(statusAfterLaunch(type, trigger, before)).toBe(after);
  });
  test.each(withData<Data>('launch-status', 'before'))('%s', (_title, { schedule_type, trigger, before, after }) => {
    expect(statusAfterLaunch(schedule_type, trigger, before)).toBe(after);
  });
});

describe('the status after a failed launch', () => {
  test('has a cell for every type, trigger and status', () =>
    expect(new Set(FAILURE.map(String)).size).toBe(EVERY_CELL));
  test.each(FAILURE)('of a %s task, %s, that was %s, is %s', (type, trigger, before, after) => {
    expect(statusAfterFailure(type, trigger, before)).toBe(after);
  });
  test.each(withData<Data>('failure-status', 'before'))('%s', (_title, { schedule_type, trigger, before, after }) => {
    expect(statusAfterFailure(schedule_type, trigger, before)).toBe(after);
  });
});

describe('the status after a skip', () => {
  test('a once task skipped for overlap has failed, not completed', () =>
    expect(statusAfterSkip('once')).toBe('failed'));
  test('a cron task waits for its next occurrence', () => expect(statusAfterSkip('cron')).toBe('enabled'));
});

describe('the status after the end of a run', () => {
  test.each(COMPLETION)('of a %s task, %s, becomes %s (null: it stays)', (type, outcome, after) => {
    expect(statusAfterCompletion(type, outcome)).toBe(after);
  });
  test.each(
    withData<{ schedule_type: ScheduleType; outcome: OutcomeStatus; after: TerminalStatus | null }>(
      'completion-status',
      'outcome',
    ),
  )('%s', (_title, { schedule_type, outcome, after }) => {
    expect(statusAfterCompletion(schedule_type, outcome)).toBe(after);
  });
});

test.each([
  ['enabled', false],
  ['paused', false],
  ['running', false],
  ['completed', true],
  ['failed', true],
  ['cancelled', true],
] as const)('%s is terminal: %s', (status, terminal) => expect(isTerminal(status)).toBe(terminal));
