// Port. Agents and their certificates, as they are stored.
import type { Actor, UserActor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { AgentCounts, RemoteAgent } from '../domain/agent';
import type { AgentCertificate } from '../domain/certificate';
import type { AgentFilter, AgentPage } from '../domain/listing';

/** What decides, at every request, whether a certificate still opens the door. */
export interface CertificateState {
  readonly serial: string;
  readonly tenantId: number;
  readonly agentId: string;
  readonly notAfter: Date;
  readonly issuedAt: Date;
  readonly used: boolean;
  readonly revoked: boolean;
  readonly disabled: boolean;
  readonly deleted: boolean;
  readonly labels: readonly string[];
}

export interface AgentChange {
  readonly name?: string;
  readonly labels?: readonly string[];
  readonly disabled?: boolean;
}

export interface AgentRepository {
  find(actor: UserActor, id: string): Promise<RemoteAgent | undefined>;
  /** Newest first; deleted ones are gone. Who is online is computed by the database's clock. */
  list(actor: UserActor, filter: AgentFilter, page: AgentPage): Promise<RemoteAgent[]>;
  counts(actor: UserActor): Promise<AgentCounts>;
  /** Undefined when there is none. Whoever is let in no more is so from the next request on, in every process. */
  change(actor: UserActor, id: string, change: AgentChange, now: Date): Promise<boolean>;
  /** The agent and all its certificates. */
  delete(actor: UserActor, id: string, now: Date): Promise<boolean>;
  /** Revokes all certificates of the agent; answers how many. Undefined when there is no such agent. */
  revoke(actor: UserActor, id: string, now: Date): Promise<number | undefined>;

  /** Stores a certificate that was signed. `replacesAll`: when it is first used, all others of the agent are revoked. */
  addCertificate(actor: Actor, certificate: AgentCertificate, options: { replacesAll: boolean }): Promise<void>;
  certificates(actor: Actor, agentId: string): Promise<AgentCertificate[]>;
  /** Many at once are one statement. Those that are not there are left out. */
  states(serials: readonly string[]): Promise<CertificateState[]>;
  /** Notes the first use, and revokes what the certificate replaces. */
  firstUse(serial: string, now: Date): Promise<void>;
  /** Serials of which something may have changed since then, by the clock of the database. */
  changedSince(moment: Date): Promise<string[]>;
  flagClone(agentId: string, now: Date): Promise<void>;
  /** Removes what is of no use any more: certificates and tokens that ended before this. Answers how many. */
  prune(before: Date): Promise<number>;
}

export const AgentRepository = token<AgentRepository>('AgentRepository');
