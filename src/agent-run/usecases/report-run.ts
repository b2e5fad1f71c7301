// Use case. What an agent outside of this house says about a run that it executes: that it is still at it, and how it ended. It
// shows the run's own token; who it is otherwise matters only where the run was bound to one at its claim.
import { RunNotHeldError } from '../domain/errors';
import { couldBeId } from '../domain/plain-text';
import type { RunEnd } from '../domain/run-end';
import { type Renewal, tokenOf } from '../domain/outside-run';
import type { OutsideRuns } from '../ports/outside-runs';

export class ReportRun {
  constructor(private readonly outside: OutsideRuns) {}

  /** A sign of life. Throws RunNotHeldError when the run is not the caller's any more: it should stop. */
  async renew(agentRunId: string, token: string, boundTo?: string): Promise<Renewal> {
    const renewal = couldBeId(agentRunId) ? await this.outside.renew(agentRunId, tokenOf(token, boundTo)) : null;
    if (renewal === null) throw new RunNotHeldError(agentRunId);
    return renewal;
  }

  async complete(agentRunId: string, token: string, end: RunEnd, boundTo?: string): Promise<void> {
    const kept = couldBeId(agentRunId) && (await this.outside.report(agentRunId, tokenOf(token, boundTo), end));
    if (!kept) throw new RunNotHeldError(agentRunId);
  }
}
