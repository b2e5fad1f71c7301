import { civilDate, dayNumber, daysInMonth, weekdayOf } from '../../../src/schedule/domain/calendar';

const DAY = 86_400_000;

describe('the calendar', () => {
  it('counts days as the built-in dates do, every third day of four centuries', () => {
    const wrong: string[] = [];
    for (let day = Math.floor(Date.UTC(1800, 0, 1) / DAY); day < Date.UTC(2200, 0, 1) / DAY; day += 3) {
      const date = new Date(day * DAY);
      const [year, month, ofMonth] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
      const civil = civilDate(day);
      const same = civil.year === year && civil.month === month && civil.day === ofMonth;
      if (!same || dayNumber(year, month, ofMonth) !== day || weekdayOf(day) !== date.getUTCDay()) {
        wrong.push(date.toISOString());
      }
    }
    expect(wrong).toEqual([]);
  });

  it('does not move the first hundred years', () => {
    expect(civilDate(dayNumber(1, 1, 1))).toEqual({ year: 1, month: 1, day: 1 });
    expect(dayNumber(50, 3, 1)).toBe(Date.parse('0050-03-01T00:00:00Z') / DAY);
  });

  it('knows that 2000 was a leap year and 2100 is none', () => {
    expect([1996, 1999, 2000, 2100].map((year) => daysInMonth(year, 2))).toEqual([29, 28, 29, 28]);
  });
});
