// Which texts name a time zone: `Region/City` of the IANA database in its own spelling, links such as
// Asia/Kolkata included, and UTC. Abbreviations (CST), fixed offsets (GMT+8, +08:00) and bare names (EST5EDT, Japan) are
// refused: they are ambiguous, or have no daylight saving where their reader expects it.

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

/** What is wrong with a text as the name of a zone, and what to write instead; undefined: it is one, in its own spelling. */
export function zoneNameProblem(name: string): string | undefined {
  if (name === 'UTC') return undefined;
  if (name === '') return 'The time zone is empty: write a name such as Europe/Paris or UTC.';
  const shown = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
  const spelled = name.length > LONGEST_NAME ? name : canonicalSpelling(name);
  if (!REGIONS.test(spelled) || !isKnownZone(spelled)) {
    const hint = spelled.toUpperCase() === 'UTC' ? 'write UTC' : 'write an IANA name such as Europe/Paris, or UTC';
    return `"${shown}" is not a known time zone: ${hint}.`;
  }
  return spelled === name ? undefined : `"${shown}" is not a known time zone: write ${spelled}.`;
}

/** Whether the runtime's database has a zone of this name, in any case. */
function isKnownZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function canonicalSpelling(name: string): string {
  return name.replace(/[A-Za-z]+\d*/g, (word) => {
    const lower = word.toLowerCase();
    return UNUSUAL_WORDS.get(lower) ?? lower.charAt(0).toUpperCase() + lower.slice(1);
  });
}
