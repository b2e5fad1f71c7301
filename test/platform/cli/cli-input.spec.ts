import { Readable } from 'node:stream';
import { CliInput } from '../../../src/platform/cli/cli-input';

const piped = (...parts: Buffer[]) => new CliInput(Readable.from(parts)).all();

it('reads all of it, also a character that two parts share', async () => {
  const bytes = Buffer.from('😀 done');
  expect(await piped(bytes.subarray(0, 2), bytes.subarray(2))).toBe('😀 done');
});

it('refuses what is no text', async () => {
  await expect(piped(Buffer.from([0xff, 0xfe]))).rejects.toThrow('Standard input is not UTF-8.');
});
