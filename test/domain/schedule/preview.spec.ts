import { momentClockChange, previewSchedule } from '../../../src/schedule/domain/preview';
import { parseScheduleSpec } from '../../../src/schedule/domain/schedule-spec';
import { timeZone } from '../../../src/schedule/domain/time-zone';

const now = new Date('2026-01-15T12:00:00Z');
const preview = (cron: string, zone: string, after: string, count = 3) =>
  previewSchedule(parseScheduleSpec('cron', { cron }, zone, now), new Date(after), count);
const codes = (cron: string, zone: string, after = '2026-01-15T12:00:00Z') =>
  preview(cron, zone, after).warnings.map((warning) => warning.code);

describe('a preview', () => {
  it('shows the next runs with their wall clock', () => {
    expect(preview('0 9 * * 1-5', 'Europe/Paris', '2026-06-05T12:00:00Z', 2)).toEqual({
      runs: [
        { at: new Date('2026-06-08T07:00:00Z'), local: '2026-06-08T09:00:00+02:00' },
        { at: new Date('2026-06-09T07:00:00Z'), local: '2026-06-09T09:00:00+02:00' },
      ],
      warnings: [],
    });
  });

  it('marks the run that a clock change moves', () => {
    const { runs, warnings } = preview('30 2 * * *', 'America/New_York', '2026-03-07T12:00:00Z', 2);
    expect(runs.map((run) => [run.local, run.clockChange])).toEqual([
      ['2026-03-08T03:30:00-04:00', 'moved'],
      ['2026-03-09T02:30:00-04:00', undefined],
    ]);
    expect(warnings).toEqual([
      {
        code: 'moved',
        message: 'The clock skips 02:30 on 2026-03-08: the run comes later that once, at 2026-03-08T03:30:00-04:00.',
      },
    ]);
  });

  it('marks the run whose time comes twice', () => {
    const { runs, warnings } = preview('30 1 * * *', 'America/New_York', '2026-10-31T12:00:00Z', 2);
    expect(runs.map((run) => [run.local, run.clockChange])).toEqual([
      ['2026-11-01T01:30:00-04:00', 'repeated'],
      ['2026-11-02T01:30:00-05:00', undefined],
    ]);
    expect(warnings).toEqual([
      {
        code: 'repeated',
        message: 'The clock shows 01:30 twice on 2026-11-01: only the first counts, 2026-11-01T01:30:00-04:00.',
      },
    ]);
  });

  it('does not call a run moved that is on time anyway', () => {
    const { runs } = preview('0 2,3 * * *', 'America/New_York', '2026-03-08T05:00:00Z', 1);
    expect(runs).toEqual([{ at: new Date('2026-03-08T07:00:00Z'), local: '2026-03-08T03:00:00-04:00' }]);
  });

  it('warns of what may surprise, a year ahead', () => {
    expect(codes('0 9 * * *', 'Europe/Paris')).toEqual([]);
    expect(codes('0 0 13 * 5', 'UTC')).toEqual(['either-day']);
    expect(codes('0 0 29 2 *', 'UTC')).toEqual(['rare']);
    expect(codes('0 0 1 1 *', 'Europe/Paris')).toEqual([]);
    expect(codes('*/30 1-2 * * *', 'Europe/Paris')).toEqual(['moved', 'repeated']);
    expect(codes('30 2 * * 1', 'Europe/Paris')).toEqual([]);
  });

  it('has nothing to warn of in a schedule that follows the clock', () => {
    const { runs, warnings } = preview('30 * * * *', 'Europe/Paris', '2026-10-25T00:00:00Z', 2);
    expect(runs.map((run) => run.local)).toEqual(['2026-10-25T02:30:00+02:00', '2026-10-25T02:30:00+01:00']);
    expect(runs.some((run) => run.clockChange !== undefined)).toBe(false);
    expect(warnings).toEqual([]);
  });

  it('of a moment is that moment, or a warning that it has passed', () => {
    const spec = parseScheduleSpec('once', { run_at: '2026-08-01T09:00' }, 'Asia/Shanghai', now);
    expect(previewSchedule(spec, now, 5)).toEqual({
      runs: [{ at: new Date('2026-08-01T01:00:00Z'), local: '2026-08-01T09:00:00+08:00' }],
      warnings: [],
    });
    expect(previewSchedule(spec, new Date('2026-08-01T01:00:00Z'), 5)).toEqual({
      runs: [],
      warnings: [{ code: 'past', message: '2026-08-01T09:00:00+08:00 has passed, so this never runs.' }],
    });
    expect(momentClockChange('2026-03-29T02:30', timeZone('Europe/Paris'))).toBe('moved');
    expect(momentClockChange('2026-03-29T02:30Z', timeZone('Europe/Paris'))).toBeUndefined();
  });

  it.each([0, 51, -1, 1.5, NaN])('of %d runs is refused', (count) => {
    expect(() => preview('0 9 * * *', 'UTC', '2026-01-01T00:00:00Z', count)).toThrow('from 1 to 50');
  });

  it('shows fifty runs', () => {
    expect(preview('* * * * *', 'UTC', '2026-01-01T00:00:00Z', 50).runs).toHaveLength(50);
  });
});
