// Queues the comparison of everything that a tenant has. Asking twice is fine: what waits already is not queued again.
import { systemActor } from '../../kernel/actor';
import { createFolder, initProjectFolders, processChanges } from '../domain/jobs';
import type { NewJob } from '../domain/job';
import type { Catalogue } from '../ports/catalogue';
import type { JobQueue } from '../ports/job-queue';

const ACTOR = systemActor('drive: rebuild');
const BATCH = 200;

export interface Rebuilt {
  readonly projects: number;
  /** Jobs that were not waiting already. */
  readonly queued: number;
}

export class RebuildTenant {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly queue: JobQueue,
  ) {}

  async run(tenantId: number, now: Date): Promise<Rebuilt> {
    let [projects, queued] = [0, 0];
    const batch: NewJob[] = [createFolder(tenantId), processChanges(tenantId)];
    for await (const { id } of this.catalogue.projects(tenantId)) {
      projects += 1;
      batch.push(initProjectFolders(tenantId, id));
      if (batch.length === BATCH) queued += await this.queue.enqueue(ACTOR, batch.splice(0), now);
    }
    queued += await this.queue.enqueue(ACTOR, batch, now);
    return { projects, queued };
  }
}
