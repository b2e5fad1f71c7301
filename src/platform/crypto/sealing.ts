// Platform, crypto. Seals secrets before they are stored: AES-256-GCM, each value bound to the column and the row it is
// stored in, so that whoever can write to the database still cannot move one tenant's secret to another's row.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { NoSealingKeyError, SealBrokenError, SealingKeyMissingError } from './errors';
import { KEY_ID_BYTES, type SealingKey, sealingKey } from './sealing-key';

/** Where sealed values are stored: a column of type bytea. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The column that names the row, unique in the table: what is given as `row` when a value is sealed. */
  readonly key: string;
}

export type Row = string | number;

/** First byte of every sealed value; what follows: key id, nonce, ciphertext, tag. */
const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + KEY_ID_BYTES;
const CIPHER = 'aes-256-gcm';

export class Sealing {
  readonly #current: SealingKey | undefined;
  readonly #keys: ReadonlyMap<string, SealingKey>;

  /** The first text is the key that seals; all of them open. */
  constructor(texts: readonly string[]) {
    const keys = texts.map(sealingKey);
    this.#current = keys[0];
    this.#keys = new Map(keys.map((key) => [key.id, key]));
  }

  get currentKeyId(): string | undefined {
    return this.#current?.id;
  }

  get keyIds(): readonly string[] {
    return [...this.#keys.keys()];
  }

  seal(column: SealedColumn, row: Row, secret: string | Uint8Array): Buffer {
    const key = this.#current;
    if (key === undefined) throw new NoSealingKeyError();
    const head = Buffer.concat([Buffer.of(FORMAT), key.idBytes]);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key.key, nonce).setAAD(associated(head, column, row));
    const sealed = cipher.update(typeof secret === 'string' ? Buffer.from(secret) : secret);
    return Buffer.concat([head, nonce, sealed, cipher.final(), cipher.getAuthTag()]);
  }

  /** @throws SealingKeyMissingError, SealBrokenError */
  open(column: SealedColumn, row: Row, sealed: Uint8Array): Buffer {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    const where = `${column.table}.${column.column} of ${column.key} ${row}`;
    const id = keyIdOf(bytes);
    if (id === undefined) throw new SealBrokenError(where);
    const key = this.#keys.get(id);
    if (key === undefined) throw new SealingKeyMissingError(where, id);
    const head = bytes.subarray(0, HEAD_BYTES);
    const nonce = bytes.subarray(HEAD_BYTES, HEAD_BYTES + NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, key.key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(associated(head, column, row))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES + NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    } catch {
      throw new SealBrokenError(where);
    }
  }

  openText(column: SealedColumn, row: Row, sealed: Uint8Array): string {
    return this.open(column, row, sealed).toString('utf8');
  }
}

/** The id of the key that sealed a value; undefined when it is no sealed value at all. */
export function keyIdOf(sealed: Buffer): string | undefined {
  if (sealed.length < HEAD_BYTES + NONCE_BYTES + TAG_BYTES || sealed[0] !== FORMAT) return undefined;
  return sealed.toString('hex', 1, HEAD_BYTES);
}

/** Each part with its length before it: no two places give the same bytes. */
function associated(head: Buffer, { table, column }: SealedColumn, row: Row): Buffer {
  const parts = [table, column, String(row)].map((part) => Buffer.from(part));
  return Buffer.concat([
    head,
    ...parts.flatMap((part) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(part.length);
      return [length, part];
    }),
  ]);
}
