// Outbound adapter, fills OutsideRuns where there is no database (the command line): agents outside can be looked at, but only
// the house itself can hand them a run.
import { LaunchFailedError } from '../domain/errors';
import type { RunEnd } from '../domain/run-end';
import type { DriverStatus } from '../ports/assistant-driver';
import type { ClaimedRun, Renewal } from '../domain/outside-run';
import type { OutsideRuns } from '../ports/outside-runs';

export class NoOutsideRuns implements OutsideRuns {
  offer(): Promise<never> {
    const how = 'start a run of it with a task, or with the API';
    return Promise.reject(
      new LaunchFailedError(`Such an assistant can only be tried by the running Horarium: ${how}.`),
    );
  }

  claim(): Promise<ClaimedRun | null> {
    return Promise.resolve(null);
  }

  release(): Promise<void> {
    return Promise.resolve();
  }

  renew(): Promise<Renewal | null> {
    return Promise.resolve(null);
  }

  report(): Promise<boolean> {
    return Promise.resolve(false);
  }

  cancel(): Promise<void> {
    return Promise.resolve();
  }

  fail(): Promise<void> {
    return Promise.resolve();
  }

  withdraw(): Promise<void> {
    return Promise.resolve();
  }

  state(): Promise<DriverStatus> {
    return Promise.resolve({ state: 'unknown' });
  }

  ended(): Promise<RunEnd> {
    return Promise.reject(new Error('no run was ever handed out'));
  }

  whenOffered(): () => void {
    return () => undefined;
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}
