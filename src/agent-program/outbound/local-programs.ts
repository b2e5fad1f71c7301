// Outbound adapter: programs of this machine, through the front door of the feature agent-run. The same form as the server's
// own assistants, the same fences; a run says only which of them, and with which prompt.
import type { RunHere } from '../../agent-run';
import type { FetchedRun, RunReport } from '../domain/work';
import type { Program, Programs } from '../ports/programs';

export class LocalPrograms implements Programs {
  constructor(
    private readonly here: RunHere,
    /** Undefined: no assistants were written down, so there is nothing to execute. */
    private readonly file: string | undefined,
  ) {}

  all(): readonly Program[] {
    if (this.file === undefined) return [];
    return this.here.programs().map(({ id, concurrency }) => ({ id, concurrency: concurrency ?? 1 }));
  }

  start({ runId, tenantId, userId, ...run }: FetchedRun): Promise<{ readonly ended: Promise<RunReport> }> {
    return this.here.start({ ...run, agentRunId: runId, owner: { tenantId, userId } });
  }

  end(requestId: string, reason: string): Promise<void> {
    return this.here.cancel(requestId, reason);
  }

  forget(requestId: string): Promise<void> {
    return this.here.forget(requestId);
  }

  endLeftBehind(reason: string): Promise<void> {
    return this.here.endLeftBehind(reason);
  }
}
