// Domain. Reads one assistant's keys out of a value of unknown shape, and refuses by key. What the keys mean is in
// assistant-settings.ts.
import { InvalidAssistantError } from './errors';

export class Settings {
  private readonly values: Readonly<Record<string, unknown>>;

  constructor(
    private readonly assistantId: string,
    value: unknown,
  ) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new InvalidAssistantError(assistantId, 'settings', 'must be a mapping, such as { command: [my-agent] }');
    }
    this.values = value as Record<string, unknown>;
  }

  mayOnlyHold(keys: readonly string[]): void {
    for (const key of Object.keys(this.values)) {
      if (!keys.includes(key)) this.refuse(key, `is not known; known keys: ${keys.join(', ')}`);
    }
  }

  has(key: string): boolean {
    return (this.values[key] ?? null) !== null;
  }

  refuse(key: string, reason: string): never {
    throw new InvalidAssistantError(this.assistantId, key, reason);
  }

  text(key: string, longest: number): string | null {
    const value = this.values[key] ?? null;
    if (value === null) return null;
    if (typeof value !== 'string' || value.trim() === '') return this.refuse(key, 'must be a text that is not empty');
    if (value.length > longest) this.refuse(key, `must have at most ${longest} characters`);
    if (value.includes('\0')) this.refuse(key, 'must not hold the character NUL');
    return value;
  }

  whole(key: string, least: number, most: number): number | null {
    const value = this.values[key] ?? null;
    if (value === null) return null;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
      return this.refuse(key, `must be a whole number from ${least} to ${most}`);
    }
    return value;
  }

  choice<T extends string>(key: string, offered: readonly T[], otherwise: T): T {
    const value = this.values[key] ?? null;
    if (value === null) return otherwise;
    if (!offered.includes(value as T)) this.refuse(key, `must be one of: ${offered.join(', ')}`);
    return value as T;
  }

  /** A list of texts. Numbers and booleans are taken as they are written: `[sleep, 5]` means what it says. */
  words(key: string): string[] {
    const value = this.values[key] ?? [];
    if (!Array.isArray(value)) return this.refuse(key, 'must be a list');
    return value.map((word: unknown) => {
      if (typeof word === 'string')
        return word.includes('\0') ? this.refuse(key, 'must not hold the character NUL') : word;
      if (typeof word === 'number' || typeof word === 'boolean') return String(word);
      return this.refuse(key, 'must be a list of texts; put quotes around "{prompt}"');
    });
  }

  folder(key: string, home: string): string | null {
    const value = this.text(key, 4096);
    return value === null ? null : this.absolute(key, value, home);
  }

  folders(key: string, home: string): string[] {
    return this.words(key).map((value) => this.absolute(key, value, home));
  }

  private absolute(key: string, path: string, home: string): string {
    const full = path === '~' || path.startsWith('~/') ? home + path.slice(1) : path;
    return full.startsWith('/') ? full : this.refuse(key, `"${path}" must be a full path, from / or ~/`);
  }
}
