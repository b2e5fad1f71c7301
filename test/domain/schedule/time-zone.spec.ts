import fc from 'fast-check';
import { InvalidTimezoneError } from '../../../src/schedule/domain/schedule-errors';
import { TimeZone, timeZone } from '../../../src/schedule/domain/time-zone';
import { offsetReader } from '../../support/wall-clock-walk';

const HOUR = 3_600_000;

describe('the name of a time zone', () => {
  it.each(Intl.supportedValuesOf('timeZone').filter((name) => name.includes('/')))('%s is accepted', (name) => {
    expect(timeZone(name).name).toBe(name);
  });

  // Links: names that the database keeps for other names.
  it.each([
    ...['UTC', 'Asia/Kolkata', 'Europe/Kyiv', 'Europe/Kiev', 'America/Nuuk', 'America/Argentina/ComodRivadavia'],
    ...[
      'America/Port-au-Prince',
      'America/Port_of_Spain',
      'Africa/Dar_es_Salaam',
      'Europe/Isle_of_Man',
      'America/Knox_IN',
    ],
    ...[
      'Antarctica/McMurdo',
      'Antarctica/DumontDUrville',
      'Asia/Ust-Nera',
      'Australia/ACT',
      'Australia/NSW',
      'Australia/LHI',
    ],
    ...[
      'Etc/UTC',
      'Etc/UCT',
      'Etc/GMT',
      'Etc/GMT+8',
      'Etc/GMT-14',
      'Etc/GMT0',
      'Etc/Zulu',
      'Etc/Greenwich',
      'Etc/Universal',
    ],
    ...[
      'US/Eastern',
      'US/East-Indiana',
      'Brazil/DeNoronha',
      'Chile/EasterIsland',
      'Mexico/BajaNorte',
      'Mexico/BajaSur',
    ],
    ...['America/North_Dakota/New_Salem', 'America/Blanc-Sablon', 'Asia/Ho_Chi_Minh', 'Atlantic/Jan_Mayen'],
  ])('%s is accepted', (name) => {
    expect(timeZone(name).name).toBe(name);
  });

  it.each([
    ['', 'The time zone is empty'],
    ['utc', 'write UTC'],
    ['Utc', 'write UTC'],
    ['asia/kolkata', '"asia/kolkata" is not a known time zone: write Asia/Kolkata'],
    ['EUROPE/PARIS', 'write Europe/Paris'],
    ['america/port-AU-prince', 'write America/Port-au-Prince'],
    ['antarctica/mcmurdo', 'write Antarctica/McMurdo'],
    ['Mars/Olympus_Mons', 'write an IANA name such as Europe/Paris, or UTC'],
    ['Europe/Pari', 'not a known time zone'],
    ['GMT+8', 'not a known time zone'],
    ['CST', 'not a known time zone'],
    ['EST5EDT', 'not a known time zone'],
    ['+01:00', 'not a known time zone'],
    ['-08', 'not a known time zone'],
    ['SystemV/EST5EDT', 'not a known time zone'],
    [' Europe/Paris', 'not a known time zone'],
    ['Europe/Paris\u0000', 'not a known time zone'],
    ['/etc/passwd', 'not a known time zone'],
    ['../Europe/Paris', 'not a known time zone'],
    ['Europe/', 'not a known time zone'],
    [`Europe/${'x'.repeat(5000)}`, 'not a known time zone'],
  ])('%j is refused', (name, reason) => {
    expect(() => timeZone(name)).toThrow(InvalidTimezoneError);
    expect(() => timeZone(name)).toThrow(reason);
  });

  it('is refused with its field, a stable code and a short message', () => {
    expect.assertions(2);
    try {
      timeZone('x'.repeat(10_000));
    } catch (error) {
      expect(error).toMatchObject({ kind: 'invalid', code: 'schedule.invalid-timezone', field: 'timezone' });
      expect((error as Error).message.length).toBeLessThan(200);
    }
  });

  it('stands for one zone object, so zones can be compared', () => {
    expect(timeZone('Europe/Paris')).toBe(timeZone('Europe/Paris'));
  });
});

describe('the offset of a zone', () => {
  it('is what the runtime shows, at any instant from 1900 to 2100', () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone').filter((name) => name.includes('/')));
    const instant = fc.integer({ min: Date.UTC(1900, 0, 1) / 1000, max: Date.UTC(2100, 0, 1) / 1000 });
    fc.assert(
      fc.property(zone, instant, (name, seconds) => {
        expect([name, seconds, timeZone(name).offsetAt(seconds * 1000)]).toEqual([
          name,
          seconds,
          offsetReader(name)(seconds * 1000),
        ]);
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    ['local mean time', 'Europe/Amsterdam', '1880-01-01T00:00:00Z'],
    ['the first year', 'Asia/Tokyo', '0001-01-01T00:00:00Z'],
    ['the last year that people write', 'America/New_York', '9999-12-31T23:59:59Z'],
  ])('is known for %s', (_what, name, text) => {
    expect(Number.isFinite(timeZone(name).offsetAt(Date.parse(text)))).toBe(true);
  });

  it('is the same whatever was asked before', () => {
    const instants = Array.from({ length: 300 }, (_, index) => Date.UTC(1990, index * 2, 15));
    const once = new TimeZone('Test/Paris', offsetReader('Europe/Paris'));
    const forwards = instants.map((instant) => once.offsetAt(instant));
    const backwards = instants.toReversed().map((instant) => once.offsetAt(instant));
    expect(backwards.toReversed()).toEqual(forwards);
  });

  it('changes at the second when the clocks change', () => {
    const change = Date.UTC(2026, 2, 29, 1);
    expect(timeZone('Europe/Paris').offsetAt(change - 1)).toBe(HOUR);
    expect(timeZone('Europe/Paris').offsetAt(change)).toBe(2 * HOUR);
  });
});

describe('the instant of a wall-clock time', () => {
  it('is read back, unless the clock skips or repeats it, for every zone and any minute', () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone').filter((name) => name.includes('/')));
    const minute = fc.integer({ min: Date.UTC(1990, 0, 1) / 60_000, max: Date.UTC(2050, 0, 1) / 60_000 });
    fc.assert(
      fc.property(zone, minute, (name, wallMinute) => {
        const wall = wallMinute * 60_000;
        const offsetAt = offsetReader(name);
        const { instant, clockChange } = timeZone(name).instantOf(wall);
        const shown = instant + offsetAt(instant);
        if (clockChange === 'moved') expect(shown).toBeGreaterThan(wall);
        else expect(shown).toBe(wall);
      }),
      { numRuns: 150 },
    );
  });
});
