import fc from 'fast-check';
import { parseMoment, readMoment, wallText } from '../../../src/schedule/domain/moment';
import { InvalidMomentError } from '../../../src/schedule/domain/schedule-errors';
import { timeZone } from '../../../src/schedule/domain/time-zone';

const shanghai = timeZone('Asia/Shanghai');

describe('a moment', () => {
  it.each([
    ['2026-08-02T09:00:00', '2026-08-02T01:00:00.000Z'],
    ['2026-08-02T09:00', '2026-08-02T01:00:00.000Z'],
    ['2026-08-02 09:00', '2026-08-02T01:00:00.000Z'],
    ['2026-08-02T09', '2026-08-02T01:00:00.000Z'],
    ['2026-08-02', '2026-08-01T16:00:00.000Z'],
    ['20260802', '2026-08-01T16:00:00.000Z'],
    ['20260802T090000', '2026-08-02T01:00:00.000Z'],
    ['20260802T0900', '2026-08-02T01:00:00.000Z'],
    ['20260802T09', '2026-08-02T01:00:00.000Z'],
    ['2026-08-02T090000', '2026-08-02T01:00:00.000Z'],
    ['2026-W31-7', '2026-08-01T16:00:00.000Z'],
    ['2026W317T09:00', '2026-08-02T01:00:00.000Z'],
    ['2026-W31', '2026-07-26T16:00:00.000Z'],
    ['2026W31', '2026-07-26T16:00:00.000Z'],
    ['2026-W53-5', '2026-12-31T16:00:00.000Z'],
    ['2025-W01-1', '2024-12-29T16:00:00.000Z'],
    ['2026-08-02T09:00:00.5', '2026-08-02T01:00:00.500Z'],
    ['2026-08-02T09:00:00,123456', '2026-08-02T01:00:00.123Z'],
    ['2026-08-01T09:00:00Z', '2026-08-01T09:00:00.000Z'],
    ['2026-08-01T09:00:00+08:00', '2026-08-01T01:00:00.000Z'],
    ['2026-08-01T09:00:00+0800', '2026-08-01T01:00:00.000Z'],
    ['2026-08-01T09:00+08', '2026-08-01T01:00:00.000Z'],
    ['2026-08-01T09-0330', '2026-08-01T12:30:00.000Z'],
    ['20260801T090000.250-00:00', '2026-08-01T09:00:00.250Z'],
    ['1880-01-01T00:00:00-04:56:02', '1880-01-01T04:56:02.000Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['0001-01-02T00:00:00Z', '0001-01-02T00:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('%j in Shanghai is %s', (text, instant) => {
    expect(parseMoment(text, shanghai).toISOString()).toBe(instant);
  });

  it.each([
    ['2026-02-30T00:00:00', 'there is no such day in that month'],
    ['2027-02-29', 'there is no such day in that month'],
    ['2026-13-01T00:00:00', 'there is no month 13'],
    ['2026-00-01', 'there is no month 0'],
    ['2026-01-00', 'there is no such day'],
    ['0000-01-01', 'there is no year 0'],
    ['2025-W53-1', '2025 has no week 53'],
    ['2026-W00-1', '2026 has no week 0'],
    ['2026-W31-8', 'days of a week go from 1'],
    ['2026-08-01T24:00', 'hours go from 0 to 23'],
    ['2026-08-01T23:60', 'minutes go from 0 to 59'],
    ['2026-08-01T23:59:60', 'seconds go from 0 to 59'],
    ['2026-08-01T09:00:00z', 'the time of day is written as'],
    ['2026-08-01t09:00:00', 'write it as 2026-08-01T09:00'],
    ['2026-08-01T09:00 Z', 'the time of day is written as'],
    ['2026-08-01T9:00', 'the time of day is written as'],
    ['2026-08-01T', 'the time of day is written as'],
    ['2026-08-01T09:00.5', 'the time of day is written as'],
    ['2026-08-01T09:0000', 'the time of day is written as'],
    ['2026-08-01T09:00+8', 'the offset is written as'],
    ['2026-08-01T09:00+24:00', 'the offset is written as'],
    ['2026-08-01T09:00+08:60', 'the offset is written as'],
    ['2026-08-01T09:00Z+01', 'the offset is written as'],
    ['2026-08', 'write it as'],
    ['2026-8-1', 'write it as'],
    ['2026-08-01Z', 'write it as'],
    ['+002026-08-01', 'write it as'],
    ['1785542400', 'write it as'],
    ['1785542400000', 'write it as'],
    ['next tuesday', 'write it as'],
    ['Tue, 04 Aug 2026 09:00:00 GMT', 'write it as'],
    ['', 'write it as'],
    [' 2026-08-01', 'write it as'],
    ['2026-08-01T09:00\n', 'the time of day is written as'],
    [`2026-08-01T09:00:00.${'1'.repeat(100)}`, 'it is too long'],
  ])('%j is refused and says why', (text, reason) => {
    expect(() => parseMoment(text, shanghai)).toThrow(InvalidMomentError);
    expect(() => parseMoment(text, shanghai)).toThrow(reason);
  });

  it.each([
    ['dst-08', '2026-03-08T02:30:00', 'America/New_York', '2026-03-08T07:30:00.000Z', 'moved'],
    ['dst-09', '2026-10-25T02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z', 'repeated'],
    ['gap', '2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z', 'moved'],
    ['end of a gap', '2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z', undefined],
    ['repeat', '2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z', 'repeated'],
    ['half an hour', '2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z', 'repeated'],
    ['before a repeat', '2026-04-05T01:29', 'Australia/Lord_Howe', '2026-04-04T14:29:00.000Z', undefined],
    ['a day left out', '2011-12-30T09:00', 'Pacific/Apia', '2011-12-30T19:00:00.000Z', 'moved'],
    ['midnight left out', '2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z', 'moved'],
    ['seconds', '2026-03-08T02:30:15.250', 'America/New_York', '2026-03-08T07:30:15.250Z', 'moved'],
  ])('without offset follows the two rules of clock changes: %s', (_what, text, zone, instant, clockChange) => {
    const read = readMoment(text, timeZone(zone));
    expect(new Date(read.instant).toISOString()).toBe(instant);
    expect(read.clockChange).toBe(clockChange);
  });

  it.each([
    ['2026-08-01T01:00:00Z', 'Asia/Shanghai', '2026-08-01T09:00:00+08:00'],
    ['2026-08-01T01:00:00.050Z', 'America/St_Johns', '2026-07-31T22:30:00.050-02:30'],
    ['2026-08-01T01:00:00Z', 'UTC', '2026-08-01T01:00:00+00:00'],
    ['1880-01-01T12:00:00Z', 'America/New_York', '1880-01-01T07:03:58-04:56:02'],
  ])('%s in %s is written %s', (instant, zone, text) => {
    expect(wallText(new Date(instant), timeZone(zone))).toBe(text);
  });

  it('is read back as it was written, in every zone', () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone').filter((name) => name.includes('/')));
    const instant = fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(zone, instant, (name, date) => {
        expect(parseMoment(wallText(date, timeZone(name)), timeZone('UTC'))).toEqual(date);
      }),
      { numRuns: 150 },
    );
  });
});
