// Auth, outbound adapter. Owns column api_keys.last_used_at. Writes beside the request that used the key, not in it.
import { systemActor } from '../../../kernel/actor';
import type { Sessions } from '../../persistence/sessions';
import { type ApiKey, useIsWorthWriting } from '../domain/api-key';
import type { ApiKeyUses } from '../ports/api-key-uses';

/** Never back: several processes may write, in any order. */
const NOTE = `
  update api_keys set last_used_at = $2
  where id = $1 and (last_used_at is null or last_used_at < $2)`;

const WRITER = systemActor('time of last use of an API key');

export class SqlApiKeyUses implements ApiKeyUses {
  /** One write for each key at a time; the others of that minute have nothing to add. */
  private readonly writing = new Map<string, Promise<void>>();

  constructor(
    private readonly sessions: Sessions,
    private readonly failed: (error: unknown) => void,
  ) {}

  note(key: ApiKey, now: Date): void {
    if (this.writing.has(key.id) || !useIsWorthWriting(key.lastUsedAt, now)) return;
    const written = this.sessions
      .run(WRITER, (tx) => tx.query(NOTE, [key.id, now]))
      .then(() => undefined, this.failed)
      .finally(() => this.writing.delete(key.id));
    this.writing.set(key.id, written);
  }

  async drain(): Promise<void> {
    await Promise.all(this.writing.values());
  }
}
