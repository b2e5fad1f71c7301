// Port. Where the bytes of files are. Whole or not there: a file that was broken off is never seen.
import { token } from '../../kernel/token';
import type { StoredContent } from '../domain/evidence';

export interface FileStore {
  /**
   * Stores a stream under a new key. No more than a few pieces of it are in memory at a time, whoever is the slower.
   * Throws FileTooLargeError as soon as there are more bytes than allowed; nothing is left then, nor when the stream fails.
   */
  write(key: string, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredContent>;

  /** From the first byte on. Null: not there. */
  read(key: string): Promise<AsyncIterable<Uint8Array> | null>;

  /** Also when it is not there. */
  remove(key: string): Promise<void>;

  /** Throws StoreUnavailableError when files can neither be written nor read. */
  check(): Promise<void>;
}

export const FileStore = token<FileStore>('FileStore');
