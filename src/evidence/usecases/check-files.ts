// Use case. Can files be written and read?
import type { FileStore } from '../ports/file-store';

/** Throws when files can neither be written nor read. */
export class CheckFiles {
  constructor(private readonly files: FileStore) {}

  run(): Promise<void> {
    return this.files.check();
  }
}
