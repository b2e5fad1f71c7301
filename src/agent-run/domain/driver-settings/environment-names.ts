// Domain. Names of variables of the operator's environment, as an assistant's settings may use them.
import type { Settings } from '../settings';

/** The house's own secrets. Whoever lists one of them by mistake would hand the keys to the agent. */
const SECRETS = [
  'HORARIUM_JWT_SECRET',
  'HORARIUM_ENCRYPTION_KEY',
  'DATABASE_URL',
  'DATABASE_MIGRATION_URL',
  'REDIS_URL',
];

/** A variable of the agent's environment: a fixed value, or whatever the operator's environment holds. */
export interface EnvironmentEntry {
  readonly name: string;
  readonly value: string | null;
}

export function environmentEntry(settings: Settings, entry: string): EnvironmentEntry {
  const [, name, fixed] = /^([A-Za-z_][A-Za-z0-9_]*)(?:=([\s\S]*))?$/.exec(entry) ?? [];
  if (name === undefined) {
    return settings.refuse('env', `"${entry}" is neither NAME (passed on) nor NAME=value (fixed)`);
  }
  if (fixed === undefined) mustNotBeOurs(settings, 'env', name);
  return { name, value: fixed ?? null };
}

/** The name of a variable that holds a secret: the file itself holds none, so that it can be shown around. */
export function secretName(settings: Settings, key: string): string | null {
  const name = settings.text(key, 128);
  if (name === null) return null;
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    settings.refuse(key, 'must be the name of an environment variable that holds the secret, not the secret itself');
  }
  mustNotBeOurs(settings, key, name);
  return name;
}

function mustNotBeOurs(settings: Settings, key: string, name: string): void {
  if (SECRETS.includes(name)) {
    settings.refuse(key, `${name} is a secret of Horarium itself and is never handed to an agent`);
  }
}
