// Domain. Which texts name a time zone: `Region/City` of the IANA database in its own spelling, links such as
// Asia/Kolkata included, and UTC. Abbreviations (CST), fixed offsets (GMT+8, +08:00) and bare names (EST5EDT, Japan) are
// refused: they are ambiguous, or have no daylight saving where their reader expects it.
import { InvalidTimezoneError } from './schedule-errors';
import { isKnownZone } from './zone-offsets';

const REGIONS =
  /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US)\//;
const LONGEST_NAME = 64;

/** Words of zone names that are not simply capitalised. The runtime ignores case, files and other systems do not. */
const UNUSUAL_WORDS = new Map(
  [
    ...[
      'au',
      'es',
      'of',
      'de',
      'UTC',
      'UCT',
      'GMT',
      'GMT0',
      'US',
      'ACT',
      'LHI',
      'NSW',
      'IN',
      'McMurdo',
      'DumontDUrville',
    ],
    ...['ComodRivadavia', 'DeNoronha', 'EasterIsland', 'BajaNorte', 'BajaSur'],
  ].map((word) => [word.toLowerCase(), word]),
);

/** Refuses with an InvalidTimezoneError everything that is not a zone's name in its canonical spelling. */
export function checkZoneName(name: string): void {
  if (name === 'UTC') return;
  if (name === '') throw new InvalidTimezoneError('The time zone is empty: write a name such as Europe/Paris or UTC.');
  const shown = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
  const spelled = name.length > LONGEST_NAME ? name : canonicalSpelling(name);
  if (!REGIONS.test(spelled) || !isKnownZone(spelled)) {
    const hint = spelled.toUpperCase() === 'UTC' ? 'write UTC' : 'write an IANA name such as Europe/Paris, or UTC';
    throw new InvalidTimezoneError(`"${shown}" is not a known time zone: ${hint}.`);
  }
  if (spelled !== name) throw new InvalidTimezoneError(`"${shown}" is not a known time zone: write ${spelled}.`);
}

function canonicalSpelling(name: string): string {
  return name.replace(/[A-Za-z]+\d*/g, (word) => {
    const lower = word.toLowerCase();
    return UNUSUAL_WORDS.get(lower) ?? lower.charAt(0).toUpperCase() + lower.slice(1);
  });
}
