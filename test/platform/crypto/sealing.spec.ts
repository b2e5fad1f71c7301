import { inspect } from 'node:util';
import { Sealing } from '../../../src/platform/crypto';

const OLD = 'an old key of tests, longer than thirty-two characters';
const NEW = 'a new key of tests, longer than thirty-two characters';
const PLACE = { table: 'safes', column: 'secret', key: 'id' };
const refused = (code: string) => expect.objectContaining({ code }) as unknown;
const thrownBy = (work: () => unknown): Error & { code: string } => {
  try {
    work();
  } catch (error) {
    return error as Error & { code: string };
  }
  throw new Error('nothing was refused');
};

it.each(['', 'a', 'ümlaut 😀', 'x'.repeat(100_000)])('what was sealed can be opened: %.10s', (text) => {
  const sealing = new Sealing([NEW]);
  expect(sealing.openText(PLACE, 1, sealing.seal(PLACE, 1, text))).toBe(text);
});

it('bytes stay bytes, and each sealing differs from the last', () => {
  const sealing = new Sealing([NEW]);
  const bytes = Buffer.from([0, 255, 254, 128]);
  const [one, two] = [sealing.seal(PLACE, 'a', bytes), sealing.seal(PLACE, 'a', bytes)];
  expect(sealing.open(PLACE, 'a', one)).toEqual(bytes);
  expect(one.equals(two)).toBe(false);
});

it('a value cannot be moved to another row, column or table', () => {
  const sealing = new Sealing([NEW]);
  const sealed = sealing.seal(PLACE, 1, 'a secret');
  for (const [place, row] of [
    [PLACE, 2],
    [{ ...PLACE, column: 'other' }, 1],
    [{ ...PLACE, table: 'other' }, 1],
    // Parts that give the same text when they are only put side by side.
    [{ ...PLACE, table: 'safe', column: 'ssecret' }, 1],
  ] as const) {
    expect(thrownBy(() => sealing.open(place, row, sealed))).toEqual(refused('platform.seal-broken'));
  }
});

it('no byte of it can be changed, and none left out', () => {
  const sealing = new Sealing([NEW]);
  const sealed = sealing.seal(PLACE, 1, 'a secret');
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at]! ^= 1;
    expect(() => sealing.open(PLACE, 1, changed)).toThrow();
  }
  for (let length = 0; length < sealed.length; length++) {
    expect(thrownBy(() => sealing.open(PLACE, 1, sealed.subarray(0, length))).code).toBe('platform.seal-broken');
  }
});

describe('a change of the key', () => {
  const before = new Sealing([OLD]);
  const sealed = before.seal(PLACE, 1, 'a secret');

  it('keeps what the old one sealed readable while it is listed', () => {
    const during = new Sealing([NEW, OLD]);
    expect(during.openText(PLACE, 1, sealed)).toBe('a secret');
    const fresh = during.seal(PLACE, 1, 'another');
    expect(new Sealing([NEW]).openText(PLACE, 1, fresh)).toBe('another');
  });

  it('says which key is missing, where, and what to do, and nothing of the secret or of a key', () => {
    const error = thrownBy(() => new Sealing([NEW]).open(PLACE, 1, sealed));
    expect(error).toEqual(refused('platform.sealing-key-missing'));
    expect(error.message).toMatch(/safes\.secret of id 1 .* HORARIUM_ENCRYPTION_KEYS_OLD/);
    expect(error.message).toContain(before.currentKeyId);
    expect(error.message).not.toMatch(/a secret|old key|new key/);
  });
});

it('nothing is sealed without a key', () => {
  expect(thrownBy(() => new Sealing([]).seal(PLACE, 1, 'a secret')).code).toBe('platform.no-sealing-key');
});

it('prints no key', () => {
  const sealing = new Sealing([NEW, OLD]);
  const printed = `${inspect(sealing, { depth: 9, showHidden: true })}${JSON.stringify(sealing)}`;
  expect(printed).not.toMatch(/key of tests/);
  expect(sealing.keyIds.every((id) => /^[0-9a-f]{16}$/.test(id))).toBe(true);
});
