// Platform, crypto. One key, made from the text of a setting.
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

export const KEY_ID_BYTES = 8;

export interface SealingKey {
  /** Names the key and tells nothing of it. */
  readonly id: string;
  readonly idBytes: Buffer;
  /** Prints as `SecretKeyObject {}`, whoever logs it. */
  readonly key: KeyObject;
}

/** The same text gives the same key on every machine. Key and id are made apart, so that the id gives nothing away. */
export function sealingKey(text: string): SealingKey {
  const idBytes = Buffer.from(hkdfSync('sha256', text, '', 'horarium sealing key id 1', KEY_ID_BYTES));
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', text, '', 'horarium sealing key 1', 32)));
  return { id: idBytes.toString('hex'), idBytes, key };
}
