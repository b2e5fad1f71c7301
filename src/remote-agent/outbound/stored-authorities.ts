// Outbound. The authorities of the house: from the operator's files, or made by itself, its keys sealed in
// compliance.agent_authorities. Newest first; the newest signs agents.
import { createPrivateKey } from 'node:crypto';
import { systemActor } from '../../kernel/actor';
import type { Ids } from '../../kernel/ids';
import type { SealedColumn, Sealing } from '../../platform/crypto';
import type { Sessions, Tx } from '../../platform/persistence/sessions';
import { makeAuthority, type Signer } from './x509/authority-certificate';

export const AUTHORITY_KEYS: SealedColumn = {
  table: 'compliance.agent_authorities',
  column: 'private_key',
  key: 'id',
};

/** The row of the timetable that keeps the listener's certificate, and the topic of its wake-up. */
export const AGENT_LISTENER = 'agent-listener';

export interface Authority {
  readonly id: string;
  readonly certificate: string;
  /** Null: the one that signs. */
  readonly trustedUntil: Date | null;
  /** Absent: trusted, and no more than that. */
  readonly signer?: Signer;
}

export interface AuthorityKeyring {
  /** Of those that are trusted at the moment, newest first; never none. */
  trusted(now: Date): Promise<readonly Authority[]>;
  rotate(now: Date, trustedUntil: Date): Promise<void>;
  /** What was read is not to be relied on any more. */
  forget(): void;
}

interface AuthorityRow {
  id: string;
  certificate: string;
  private_key: Buffer;
  trusted_until: Date | null;
}

const READ = `
  select id, certificate, private_key, trusted_until from compliance.agent_authorities
   order by trusted_until desc nulls first, created_at desc`;

/** Of two processes that start at once one makes the first authority; of two rotations the second follows the first. */
const ALONE = `select pg_advisory_xact_lock(hashtextextended('horarium agent authority', 0))`;

const RETIRE = `update compliance.agent_authorities set trusted_until = $1 where trusted_until is null`;

const ADD = `
  insert into compliance.agent_authorities (id, certificate, private_key, created_at) values ($1, $2, $3, $4)`;

const KEEPER = systemActor('authority of remote agents');
/** Another process may have rotated; its wake may have been lost. */
const GOOD_FOR_MS = 30_000;

export class StoredAuthorities implements AuthorityKeyring {
  private known: { readonly authorities: readonly Authority[]; readonly readAt: number } | undefined;

  constructor(
    private readonly sessions: Sessions,
    private readonly sealing: Sealing,
    private readonly ids: Ids,
  ) {}

  async trusted(now: Date): Promise<readonly Authority[]> {
    let known = this.known;
    if (known === undefined || now.getTime() - known.readAt > GOOD_FOR_MS) {
      known = { authorities: await this.read(now), readAt: now.getTime() };
      this.known = known;
    }
    return known.authorities.filter(({ trustedUntil }) => trustedUntil === null || trustedUntil > now);
  }

  forget(): void {
    this.known = undefined;
  }

  async rotate(now: Date, trustedUntil: Date): Promise<void> {
    await this.sessions.run(KEEPER, async (tx) => {
      await tx.query(ALONE);
      await tx.query(RETIRE, [trustedUntil]);
      await this.make(tx, now);
    });
    this.forget();
  }

  private async read(now: Date): Promise<Authority[]> {
    const rows = await this.sessions.run(KEEPER, (tx) => tx.query<AuthorityRow>(READ));
    if (rows.some(({ trusted_until }) => trusted_until === null)) return rows.map((row) => this.toAuthority(row));
    const made = await this.sessions.run(KEEPER, async (tx) => {
      await tx.query(ALONE);
      const there = await tx.query<AuthorityRow>(READ);
      if (!there.some(({ trusted_until }) => trusted_until === null)) await this.make(tx, now);
      return tx.query<AuthorityRow>(READ);
    });
    return made.map((row) => this.toAuthority(row));
  }

  private async make(tx: Tx, now: Date): Promise<void> {
    const id = this.ids.uuid();
    const { certificate, pkcs8 } = await makeAuthority(`Horarium agents ${id.slice(0, 8)}${id.slice(-4)}`, now);
    await tx.query(ADD, [id, certificate, this.sealing.seal(AUTHORITY_KEYS, id, pkcs8), now]);
    tx.wakeAfterCommit(AGENT_LISTENER);
  }

  private toAuthority({ id, certificate, private_key, trusted_until }: AuthorityRow): Authority {
    const pkcs8 = this.sealing.open(AUTHORITY_KEYS, id, private_key);
    const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
    return { id, certificate, trustedUntil: trusted_until, signer: { certificate, key } };
  }
}
