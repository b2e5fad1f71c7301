// Outbound adapter, owns table outside_runs. Leases and deadlines go by the database's time (horarium_now); whoever follows a
// run looks after them, woken by reports and by the next of these moments.
import { systemActor } from '../../kernel/actor';
import type { Sessions } from '../../platform/persistence/sessions';
import { bareEnd, type RunEnd } from '../domain/run-end';
import type { DriverStatus } from '../ports/assistant-driver';
import { type ClaimedRun, type ClaimScope, type Renewal, tokenOf } from '../domain/outside-run';
import type { OutsideOffer, OutsideRuns } from '../ports/outside-runs';
import { newRunToken, tokenHash } from './outside/run-token';
import {
  CANCEL,
  CLAIM,
  FAIL,
  FOLLOWED,
  FORGET_OLD,
  GIVE_UP,
  OFFER,
  RELEASE,
  RENEW,
  REPORT,
  RETURN_TO_QUEUE,
  STATE,
  WITHDRAW,
} from './outside/outside-statements';
import { toClaimedRun, type ClaimedRow, type FollowedRow, type RenewedRow } from './outside/outside-run.row';

/** What this needs of the wake channel. */
export interface Bell {
  listen(topic: string, onWake: () => void): Promise<() => Promise<void>>;
}

const OFFERED = 'outside-run-offered';
const ENDED = 'outside-run-ended';
/** Wakes can get lost: then a report is found so late at the latest. */
const BACKSTOP_MS = 5_000;

const HOUSE = systemActor('agent runs: those that agents outside execute');

interface Followed {
  readonly ended: Promise<RunEnd>;
  readonly settle: (end: RunEnd) => void;
}

export class SqlOutsideRuns implements OutsideRuns {
  private readonly followed = new Map<string, Followed>();
  private looking: Promise<void> | undefined;
  private lookAgain = false;
  private timer: NodeJS.Timeout | undefined;
  private unlisten: Promise<() => Promise<void>> | undefined;

  constructor(
    private readonly sessions: Sessions,
    private readonly bell: Bell,
  ) {}

  async offer(offer: OutsideOffer): Promise<string | null> {
    const token = offer.kind === 'handed-over' ? newRunToken() : null;
    const hash = token === null ? null : tokenHash(token);
    const { agentRunId, requestId, owner, assistantId, kind } = offer;
    const about = [agentRunId, requestId, owner.tenantId, owner.userId, assistantId, kind];
    const times = [offer.leaseSeconds, offer.claimTimeoutSeconds, offer.timeoutSeconds];
    const isNew = await this.sessions.run(HOUSE, async (tx) => {
      const put = await tx.query(OFFER, [...about, hash, ...times]);
      if (put.length > 0 && kind === 'pull') tx.wakeAfterCommit(OFFERED);
      return put.length > 0;
    });
    return isNew ? token : null;
  }

  async claim(
    scope: ClaimScope,
    assistantIds: readonly string[],
    claimedBy: string,
    boundTo?: string,
  ): Promise<ClaimedRun | null> {
    const token = newRunToken();
    const params = [scope.tenantId, scope.userId, assistantIds, claimedBy, tokenHash(tokenOf(token, boundTo))];
    const [row] = await this.sessions.run(HOUSE, (tx) => tx.query<ClaimedRow>(CLAIM, params));
    return row === undefined ? null : toClaimedRun(row, token);
  }

  async release(agentRunId: string, token: string): Promise<void> {
    await this.sessions.run(HOUSE, async (tx) => {
      const released = await tx.query(RELEASE, [agentRunId, tokenHash(token)]);
      if (released.length > 0) tx.wakeAfterCommit(OFFERED);
    });
  }

  async renew(agentRunId: string, token: string): Promise<Renewal | null> {
    const params = [agentRunId, tokenHash(token)];
    const [row] = await this.sessions.run(HOUSE, (tx) => tx.query<RenewedRow>(RENEW, params));
    if (row === undefined) return null;
    return { leaseExpiresAt: row.lease_expires_at, giveUpAt: row.give_up_at, cancelled: row.cancel_reason };
  }

  report(agentRunId: string, token: string, end: RunEnd): Promise<boolean> {
    return this.end(REPORT, [agentRunId, tokenHash(token), JSON.stringify(end)]);
  }

  async cancel(requestId: string, reason: string): Promise<void> {
    await this.end(CANCEL, [requestId, reason]);
  }

  async fail(agentRunId: string, end: RunEnd): Promise<void> {
    await this.end(FAIL, [agentRunId, JSON.stringify(end)]);
  }

  async withdraw(agentRunId: string): Promise<void> {
    await this.sessions.run(HOUSE, (tx) => tx.query(WITHDRAW, [agentRunId]));
  }

  async state(requestId: string): Promise<DriverStatus> {
    const [row] = await this.sessions.run(HOUSE, (tx) => tx.query<FollowedRow>(STATE, [requestId]));
    if (row === undefined) return { state: 'unknown' };
    return row.report === null ? { state: 'running' } : { state: 'ended', end: endOf(row) };
  }

  ended(agentRunId: string): Promise<RunEnd> {
    const known = this.followed.get(agentRunId);
    if (known !== undefined) return known.ended;
    let settle: (end: RunEnd) => void = () => undefined;
    const ended = new Promise<RunEnd>((resolve) => (settle = resolve));
    this.followed.set(agentRunId, { ended, settle });
    this.unlisten ??= this.bell.listen(ENDED, () => this.look());
    this.look();
    return ended;
  }

  whenOffered(onOffer: () => void): () => void {
    const listening = this.bell.listen(OFFERED, onOffer);
    return () => void listening.then((stop) => stop());
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.followed.clear();
    await (
      await this.unlisten
    )?.();
    await this.looking;
  }

  /** True when it was this call that ended the run, or (a cancellation) that its agent will be told. */
  private end(statement: string, params: readonly unknown[]): Promise<boolean> {
    return this.sessions.run(HOUSE, async (tx) => {
      const changed = await tx.query(statement, params);
      if (changed.length > 0) tx.wakeAfterCommit(ENDED);
      return changed.length > 0;
    });
  }

  private look(): void {
    if (this.followed.size === 0) return;
    if (this.looking !== undefined) {
      this.lookAgain = true;
      return;
    }
    clearTimeout(this.timer);
    this.looking = this.lookNow()
      .catch(() => BACKSTOP_MS)
      .then((sleepMs) => {
        this.looking = undefined;
        if (this.followed.size === 0) return;
        if (this.lookAgain) {
          this.lookAgain = false;
          this.look();
          return;
        }
        this.timer = setTimeout(() => this.look(), sleepMs).unref();
      });
  }

  /** How long there is certainly nothing to do but for a report. */
  private async lookNow(): Promise<number> {
    const mine = [...this.followed.keys()];
    const rows = await this.sessions.run(HOUSE, async (tx) => {
      let found = await tx.query<FollowedRow>(FOLLOWED, [mine]);
      if (found.some(({ due_in_ms }) => due_in_ms !== null && due_in_ms <= 0)) {
        const returned = await tx.query(RETURN_TO_QUEUE, [mine]);
        if (returned.length > 0) tx.wakeAfterCommit(OFFERED);
        await tx.query(GIVE_UP, [mine]);
        found = await tx.query<FollowedRow>(FOLLOWED, [mine]);
      }
      if (found.some(({ report }) => report !== null)) await tx.query(FORGET_OLD);
      return found;
    });
    const byId = new Map(rows.map((row) => [row.agent_run_id, row]));
    for (const id of mine) {
      const row = byId.get(id);
      if (row?.report === null) continue;
      this.followed.get(id)?.settle(row === undefined ? bareEnd('interrupted', 'The run was removed.') : endOf(row));
      this.followed.delete(id);
    }
    const next = Math.min(BACKSTOP_MS, ...rows.map(({ due_in_ms }) => due_in_ms ?? BACKSTOP_MS));
    return Math.max(10, Math.ceil(next));
  }
}

/** What an agent reports of a run that was cancelled meanwhile is kept, but it is interrupted all the same. */
function endOf({ report, cancel_reason }: FollowedRow): RunEnd {
  const { retryAt, ...told } = report ?? {};
  const end = bareEnd('error', null, { ...told, retryAt: retryAt == null ? null : new Date(retryAt) });
  return cancel_reason === null
    ? end
    : { ...end, status: 'interrupted', error: cancel_reason, reason: null, retryAt: null };
}
