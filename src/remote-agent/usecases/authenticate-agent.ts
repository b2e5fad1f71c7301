// Use case. The first step of every request of an agent, also of the thousandth on one connection: a connection outlives
// the end of a certificate, and its revocation.
import { isExpired, renewAfter } from '../domain/certificate';
import {
  AgentDisabledError,
  CertificateExpiredError,
  CertificateRevokedError,
  CertificateUnknownError,
} from '../domain/errors';
import type { AgentIdentity } from '../domain/identity';
import type { AgentRepository, CertificateState } from '../ports/agent-repository';
import type { CertificateAuthority, ShownCertificate } from '../ports/certificate-authority';

export type { ShownCertificate };

/** An agent that was let in. */
export interface AgentActor extends AgentIdentity {
  readonly serial: string;
  readonly labels: readonly string[];
  readonly shouldRenew: boolean;
}

interface Known {
  state: CertificateState;
  readAt: number;
}

/** While changes are looked for every few seconds, what was read is good for this long; else for this. */
const GOOD_FOR_MS = 300_000;
const GOOD_UNWATCHED_MS = 10_000;
const WATCHED_WITHIN_MS = 15_000;
/** A change that is committed late carries an early time. */
const OVERLAP_MS = 60_000;

export class AuthenticateAgent {
  private readonly known = new Map<string, Known>();
  private watchedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly agents: AgentRepository,
    private readonly authority: CertificateAuthority,
  ) {}

  /** What a certificate (PEM, or DER) says of an agent; undefined when it is none of ours. */
  identify(certificate: string | Uint8Array, now: Date): Promise<ShownCertificate | undefined> {
    return this.authority.examine(certificate, now);
  }

  async run(shown: ShownCertificate, now: Date): Promise<AgentActor> {
    if (isExpired(shown, now)) throw new CertificateExpiredError(shown.notAfter);
    const state = await this.stateOf(shown.serial, now);
    if (state === undefined || state.deleted || state.agentId !== shown.agentId || state.tenantId !== shown.tenantId) {
      throw new CertificateUnknownError();
    }
    if (state.revoked) throw new CertificateRevokedError();
    if (state.disabled) throw new AgentDisabledError();
    if (isExpired(state, now)) throw new CertificateExpiredError(state.notAfter);
    if (!state.used) {
      await this.agents.firstUse(state.serial, now);
      // What it replaces is revoked by now; this process may have read otherwise.
      for (const [serial, { state: other }] of this.known)
        if (other.agentId === state.agentId) this.known.delete(serial);
      this.known.set(state.serial, { state: { ...state, used: true }, readAt: now.getTime() });
    }
    const { tenantId, agentId, serial, labels } = state;
    return { tenantId, agentId, serial, labels, shouldRenew: now >= renewAfter(state) };
  }

  /** Forgets what may have changed since the last look, in whatever process. */
  async refresh(now: Date): Promise<void> {
    if (this.known.size === 0) {
      // Nothing is remembered: there is nothing to ask.
      this.watchedAt = now.getTime();
      return;
    }
    const since = Number.isFinite(this.watchedAt) ? this.watchedAt : now.getTime();
    for (const serial of await this.agents.changedSince(new Date(since - OVERLAP_MS))) this.known.delete(serial);
    this.watchedAt = now.getTime();
    for (const [serial, { readAt }] of this.known) if (now.getTime() - readAt > GOOD_FOR_MS) this.known.delete(serial);
  }

  private async stateOf(serial: string, now: Date): Promise<CertificateState | undefined> {
    const known = this.known.get(serial);
    const watched = now.getTime() - this.watchedAt < WATCHED_WITHIN_MS;
    if (known !== undefined && now.getTime() - known.readAt < (watched ? GOOD_FOR_MS : GOOD_UNWATCHED_MS)) {
      return known.state;
    }
    const [state] = await this.agents.states([serial]);
    if (state === undefined) this.known.delete(serial);
    else this.known.set(serial, { state, readAt: now.getTime() });
    return state;
  }
}
