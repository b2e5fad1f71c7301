// Port. The runs of the server, as this machine fetches them. Throws ServerAwayError when no answer comes, ServerRefusesError
// when it is a no: 409 says that a run is not ours (any more).
import { token } from '../../kernel/token';
import type { KeptIdentity } from '../domain/identity';
import type { FetchedRun, LeaseRenewal, RunReport } from '../domain/work';

export interface WorkServer {
  /** Null: there was none within the time. */
  fetch(
    identity: KeptIdentity,
    assistants: readonly string[],
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<FetchedRun | null>;
  renew(identity: KeptIdentity, run: FetchedRun): Promise<LeaseRenewal>;
  complete(identity: KeptIdentity, run: FetchedRun, report: RunReport): Promise<void>;
}

export const WorkServer = token<WorkServer>('WorkServer');
