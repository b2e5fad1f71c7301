// Test support. A worker of the Drive queue, made of the application's own parts, that can die at any call: what it has asked
// for is done or not, and from then on it does, hears and writes nothing more. As a process that is killed.
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Clock } from '../../../src/kernel/clock';
import { SyncPolicy } from '../../../src/drive-sync/domain/sync-policy';
import { Catalogue } from '../../../src/drive-sync/ports/catalogue';
import { type Drive, Drives } from '../../../src/drive-sync/ports/drive';
import { IntegrationRepository } from '../../../src/drive-sync/ports/integration-repository';
import { ItemIndex } from '../../../src/drive-sync/ports/item-index';
import { JobQueue } from '../../../src/drive-sync/ports/job-queue';
import { ArchiveDriveFile } from '../../../src/drive-sync/usecases/archive-drive-file';
import { ConnectionLost } from '../../../src/drive-sync/usecases/connection-lost';
import { CreateFolder } from '../../../src/drive-sync/usecases/create-folder';
import { DrainQueue } from '../../../src/drive-sync/usecases/drain-queue';
import { FetchContent } from '../../../src/drive-sync/usecases/fetch-content';
import { ImportDriveFile } from '../../../src/drive-sync/usecases/import-drive-file';
import { InitProjectFolders } from '../../../src/drive-sync/usecases/init-project-folders';
import { JobHandlers } from '../../../src/drive-sync/usecases/job-handlers';
import { KeepFolders } from '../../../src/drive-sync/usecases/keep-folders';
import { ProcessDriveChanges } from '../../../src/drive-sync/usecases/process-drive-changes';
import { PushEvidence } from '../../../src/drive-sync/usecases/push-evidence';
import { RebuildTenant } from '../../../src/drive-sync/usecases/rebuild-tenant';
import { ReconcileTaskFolder } from '../../../src/drive-sync/usecases/reconcile-task-folder';
import { RenameFolder } from '../../../src/drive-sync/usecases/rename-folder';
import { RunJob } from '../../../src/drive-sync/usecases/run-job';
import { SettleFile } from '../../../src/drive-sync/usecases/settle-file';
import { SoftDeleteEvidence } from '../../../src/drive-sync/usecases/soft-delete-evidence';

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };
const UNCOUNTED = { started: () => undefined, ended: () => undefined };

export class MortalWorker {
  readonly queue: JobQueue;
  readonly handlers: JobHandlers;
  readonly worker: DrainQueue;
  readonly jobs: RunJob;
  readonly drives: Drives;
  /** Calls of ports so far: of Drive, the catalogue, the index, the queue. */
  calls = 0;
  private diesAt = Infinity;
  private diesOf: { name: string; left: number } | undefined;
  private gone = false;

  constructor(
    readonly app: NestExpressApplication,
    readonly id: string,
  ) {
    const clock = app.get<Clock>(Clock);
    const part = <T extends object>(token: unknown): T => this.mortal(app.get<T>(token as never, { strict: false }));
    const catalogue = part<Catalogue>(Catalogue);
    const items = part<ItemIndex>(ItemIndex);
    const integrations = part<IntegrationRepository>(IntegrationRepository);
    const policy = app.get<SyncPolicy>(SyncPolicy, { strict: false });
    const drives = part<Drives>(Drives);
    const queue = (this.queue = part<JobQueue>(JobQueue));
    this.drives = { of: async (tenantId) => this.mortal<Drive>(await drives.of(tenantId)) };
    const folders = new KeepFolders(items, catalogue, integrations, queue, policy);
    const push = new PushEvidence(items, catalogue, folders, queue);
    const settle = new SettleFile(items, catalogue, new FetchContent(policy), push);
    const rebuild = new RebuildTenant(catalogue, queue);
    this.handlers = new JobHandlers([
      new ArchiveDriveFile(settle),
      new CreateFolder(catalogue, folders),
      new ImportDriveFile(settle),
      new InitProjectFolders(catalogue, items, folders, queue),
      new ProcessDriveChanges(integrations, items, queue, rebuild, SILENT),
      new ReconcileTaskFolder(catalogue, items, folders, push, settle, queue),
      new RenameFolder(catalogue, items),
      new SoftDeleteEvidence(settle),
    ]);
    const lost = new ConnectionLost(integrations, SILENT);
    this.jobs = new RunJob(
      this.handlers,
      this.drives,
      integrations,
      queue,
      lost,
      UNCOUNTED,
      SILENT,
      clock,
      Math.random,
    );
    this.worker = new DrainQueue(
      queue,
      { wake: () => undefined, arrives: true },
      this.handlers,
      this.jobs,
      UNCOUNTED,
      SILENT,
      policy,
      { id: id },
      clock,
    );
  }

  get dead(): boolean {
    return this.gone;
  }

  /** Right after the call that is so many calls away. */
  dieAfter(calls: number): void {
    this.diesAt = this.calls + calls;
  }

  /** Right after a call of this name has been made so many times more. */
  dieOf(name: string, times: number): void {
    this.diesOf = { name, left: times };
  }

  die(): void {
    this.gone = true;
  }

  private mortal<T extends object>(part: T): T {
    return new Proxy(part, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          if (this.gone) throw new Error('this worker is dead');
          const nr = ++this.calls;
          if (this.diesOf?.name === name && --this.diesOf.left === 0) this.diesAt = nr;
          const answer = (value as (...all: unknown[]) => unknown).apply(target, args);
          return answer instanceof Promise ? this.heard(answer, nr) : answer;
        };
      },
    });
  }

  private async heard(answer: Promise<unknown>, nr: number): Promise<unknown> {
    try {
      return await answer;
    } finally {
      if (nr === this.diesAt) this.gone = true;
      // eslint-disable-next-line no-unsafe-finally -- whatever came of it, nobody hears it any more
      if (this.gone) throw new Error('this worker is dead');
    }
  }
}
