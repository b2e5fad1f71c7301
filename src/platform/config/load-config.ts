// Platform, configuration. From the environment to the validated class. Reads nothing but its arguments.
import { DomainError } from '../../kernel/domain-error';
import { Config } from './config';
import { brokenRules } from './config-checks';
import { type DeclaredSetting, type Machine, settingsOf } from './setting';

type Environment = Readonly<Record<string, string | undefined>>;

/** Everything that is wrong at once, so that one start is enough to find out. */
export class ConfigInvalidError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'platform.config-invalid';
  constructor(readonly problems: readonly string[]) {
    const head = problems.length === 1 ? 'A setting is wrong' : `${problems.length} settings are wrong`;
    super(`${head}:\n${problems.map((problem) => `  ${problem}`).join('\n')}\nAll settings: docs/configuration.md`);
  }
}

/**
 * The configuration of this process. An empty variable counts as absent, which is what compose files make of one
 * that is not set.
 * @throws ConfigInvalidError naming every wrong variable
 */
export function loadConfig(env: Environment, machine: { readonly machineTimezone: string }): Config {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const setting of settingsOf(Config)) {
    const given = present(env[setting.env]);
    const text = given ?? defaultText(setting, values, { timezone: machine.machineTimezone });
    if (text === undefined) continue;
    const value = setting.kind.parse(text);
    if (value !== undefined) values[setting.property] = value;
    // A default made from a wrong setting is wrong because of that one.
    else if (given !== undefined || problems.length === 0) problems.push(wrong(setting, text, given === undefined));
  }
  // Rules between settings make no sense while one of them is missing.
  const config = Object.assign(new Config(), values);
  if (problems.length === 0) problems.push(...brokenRules(config));
  if (problems.length > 0) throw new ConfigInvalidError(problems);
  return Object.freeze(config);
}

function present(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text.trim();
}

function defaultText(setting: DeclaredSetting, values: Record<string, unknown>, machine: Machine): string | undefined {
  return typeof setting.default === 'object' ? setting.default.from(values, machine) : setting.default;
}

function wrong({ env, kind, secret }: DeclaredSetting, text: string, byDefault: boolean): string {
  const given = secret === true ? kindOf(text) : `${kindOf(text)}, ${JSON.stringify(shortened(text))}`;
  return `${env}: ${byDefault ? 'its default here' : 'given'} is ${given}; allowed: ${kind.allowed}`;
}

/** What a text looks like, in words that give nothing of a secret away. */
function kindOf(text: string): string {
  if (/^-?\d+$/.test(text)) return 'a whole number';
  if (/^-?\d*[.,]\d+$/.test(text)) return 'a number with a fraction';
  if (/^(true|false|yes|no|on|off)$/i.test(text)) return 'a yes or no';
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return 'a URL';
  return `a text of ${text.length} character${text.length === 1 ? '' : 's'}`;
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
