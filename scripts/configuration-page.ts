// docs/configuration.md, made from the declarations in src/platform/config/config.ts.
import { Config } from '../src/platform/config/config';
import { type DeclaredSetting, GROUPS, settingsOf } from '../src/platform/config/setting';

const HEAD = `# Configuration

Generated from \`src/platform/config/config.ts\` by \`npm run docs:generate\`; a test compares the two.

Settings are environment variables, read once at start. An empty variable counts as absent. A wrong value stops the
start with a message that names every wrong variable at once; an unknown \`HORARIUM_…\` or \`SCHEDULE_…\` variable is
warned about. The values of secrets appear in no message and no log line.
`;

export function configurationPage(): string {
  const sections = GROUPS.map((group) => {
    const rows = settingsOf(Config).filter((setting) => setting.group === group);
    return [
      `## ${group}`,
      '',
      '| variable | default | allowed | meaning |',
      '|---|---|---|---|',
      ...rows.map(row),
    ].join('\n');
  });
  return `${HEAD}\n${sections.join('\n\n')}\n`;
}

function row({ env, kind, secret, doc, default: fallback }: DeclaredSetting): string {
  const words = typeof fallback === 'object' ? fallback.words : fallback === undefined ? 'none' : `\`${fallback}\``;
  const cells = [`\`${env}\``, words, kind.allowed, secret === true ? `${doc} Secret.` : doc];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
