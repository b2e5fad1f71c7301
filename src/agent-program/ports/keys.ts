// Port. Keys of the machine; they never leave it.
import { token } from '../../kernel/token';

export interface Keys {
  /** PEM. */
  make(): Promise<string>;
  /** A request in PEM, signed by the key. */
  request(key: string): Promise<string>;
  /** Signs what proves that the old key is still here: `<nonce>.<SHA-256 of the request>`. */
  prove(key: string, request: string): { nonce: string; signature: string };
}

export const Keys = token<Keys>('Keys');
