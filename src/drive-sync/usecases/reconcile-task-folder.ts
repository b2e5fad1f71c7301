// Everything in one folder: what is in Drive and not here, here and not in Drive, or different. Only what differs gets a
// job of its own; what is to be uploaded is uploaded here. With evidence_id: one piece of evidence only.
import { systemActor } from '../../kernel/actor';
import type { CatalogueEvidence, CatalogueProject, CatalogueTask } from '../domain/catalogue-entry';
import { DriveProblemError } from '../domain/drive-problem';
import { isFolder, revisionOf, type DriveFile } from '../domain/drive-file';
import type { Item } from '../domain/item';
import { text, type ClaimedJob, type NewJob } from '../domain/job';
import { archiveDriveFile, importDriveFile, reconcileTaskFolder, softDeleteEvidence } from '../domain/jobs';
import type { Catalogue } from '../ports/catalogue';
import type { Drive } from '../ports/drive';
import type { ItemIndex } from '../ports/item-index';
import type { JobQueue } from '../ports/job-queue';
import { openProject } from './open-project';
import type { JobContext, JobHandler } from './job-handlers';
import { found, type KeepFolders } from './keep-folders';
import type { PushEvidence } from './push-evidence';
import type { SettleFile } from './settle-file';

const ACTOR = systemActor('drive: reconcile');
const PAGE = 500;

export class ReconcileTaskFolder implements JobHandler {
  readonly type = 'RECONCILE_TASK_FOLDER';

  constructor(
    private readonly catalogue: Catalogue,
    private readonly items: ItemIndex,
    private readonly folders: KeepFolders,
    private readonly push: PushEvidence,
    private readonly settle: SettleFile,
    private readonly queue: JobQueue,
  ) {}

  async run(job: ClaimedJob, context: JobContext): Promise<void> {
    const { tenantId, payload } = job;
    if (payload.evidence_id !== undefined) return this.one(tenantId, text(payload, 'evidence_id'), context);
    const project = await openProject(this.catalogue, tenantId, payload);
    if (project === null) return;
    if (payload.task_id === undefined) return this.folder(tenantId, project, null, context);
    const taskId = text(payload, 'task_id');
    const task = await this.catalogue.task(tenantId, taskId);
    return task === null
      ? this.dissolve(tenantId, project, taskId, context)
      : this.folder(tenantId, project, task, context);
  }

  private async one(tenantId: number, evidenceId: string, { drive, now }: JobContext): Promise<void> {
    const evidence = await this.catalogue.evidence(tenantId, evidenceId);
    if (evidence === null) return;
    const item = await this.items.bySubject(tenantId, 'file', evidenceId);
    if (item !== null && item.state !== 'creating') return this.settle.run(drive, item.driveFileId, now);
    if (!evidence.deleted) await this.push.run(drive, evidence, now);
  }

  private async folder(
    tenantId: number,
    project: CatalogueProject,
    task: CatalogueTask | null,
    { drive, now, signal }: JobContext,
  ): Promise<void> {
    const folder =
      task === null
        ? await this.folders.project(drive, project, now, true)
        : await this.folders.task(drive, project, task, now, true);
    // Drive's listing is complete before ours is read: what is uploaded meanwhile is not taken for missing.
    const listed = new Map<string, Known | null>();
    for await (const files of pagesOf(drive, folder.driveFileId)) {
      signal.throwIfAborted();
      await this.queue.enqueue(ACTOR, await this.different(tenantId, files, listed), now);
    }
    await this.missing(tenantId, drive, folder.driveFileId, listed, now);
    let refused: unknown;
    for await (const evidence of this.catalogue.evidenceOf(tenantId, project.id, task?.id ?? null)) {
      signal.throwIfAborted();
      const known = evidence.driveFileId === null ? undefined : listed.get(evidence.driveFileId);
      if (evidence.driveFileId !== null) listed.delete(evidence.driveFileId);
      if (known !== undefined && sameHere(known, evidence)) continue;
      try {
        await this.one(tenantId, evidence.id, { drive, now, signal });
      } catch (error) {
        // One that Drive does not take keeps the others from nothing; the job fails at its end, and says why.
        if (!(error instanceof DriveProblemError) || (error.problem !== 'item' && error.problem !== 'person'))
          throw error;
        refused = error;
      }
    }
    // What is left is there, and its evidence is not here any more: deleted, or given to another task.
    const left = [...listed].filter(([, known]) => known?.subjectId != null).map(([id]) => id);
    await this.queue.enqueue(
      ACTOR,
      left.map((id) => archiveDriveFile(tenantId, id)),
      now,
    );
    if (refused !== undefined) throw refused as Error;
  }

  /** Also notes what is there, and what both sides last were. */
  private async different(
    tenantId: number,
    files: readonly DriveFile[],
    listed: Map<string, Known | null>,
  ): Promise<NewJob[]> {
    const plain = files.filter((file) => !isFolder(file));
    const items = new Map(
      (
        await this.items.findMany(
          tenantId,
          plain.map(({ id }) => id),
        )
      ).map((item) => [item.driveFileId, item]),
    );
    for (const { id } of plain) {
      const { subjectId, ourName, ourSha256 } = items.get(id) ?? {};
      listed.set(id, subjectId == null ? null : { subjectId, ourName, ourSha256 });
    }
    return plain.filter((file) => differs(items.get(file.id), file)).map(({ id }) => importDriveFile(tenantId, id));
  }

  /** Known to be here, and not listed: gone, unless it is there after all (a listing may trail what was written). */
  private async missing(
    tenantId: number,
    drive: Drive,
    folderId: string,
    listed: ReadonlyMap<string, unknown>,
    now: Date,
  ): Promise<void> {
    for (let after = ''; ;) {
      const page = await this.items.inFolder(tenantId, folderId, after, PAGE);
      const gone = page.filter(
        ({ kind, state, driveFileId }) => kind === 'file' && state === 'present' && !listed.has(driveFileId),
      );
      for (const { driveFileId } of gone) {
        const file = await found(drive, driveFileId);
        if (file === null || file.trashed || file.parentId !== folderId) {
          await this.queue.enqueue(ACTOR, [softDeleteEvidence(tenantId, driveFileId)], now);
        }
      }
      if (page.length < PAGE) return;
      after = page.at(-1)?.driveFileId ?? '';
    }
  }

  /** Of a deleted task: its evidence is the project's now, and so are its files; the empty folder goes to the trash. */
  private async dissolve(
    tenantId: number,
    project: CatalogueProject,
    taskId: string,
    context: JobContext,
  ): Promise<void> {
    const { drive, now } = context;
    const item = await this.items.bySubject(tenantId, 'task', taskId);
    if (item === null || item.state === 'gone') return;
    const home = await this.folders.project(drive, project, now, true);
    const folder = await found(drive, item.driveFileId);
    if (folder !== null) {
      // In the trash its files cannot be listed, and are not lost: they go with their evidence.
      if (folder.explicitlyTrashed) await drive.edit(folder.id, { trashed: false });
      const inside: string[] = [];
      for await (const files of pagesOf(drive, folder.id)) {
        for (const file of files) if (!isFolder(file)) inside.push(file.id);
      }
      for (const id of inside) {
        context.signal.throwIfAborted();
        await this.queue.enqueue(ACTOR, [importDriveFile(tenantId, id)], now);
        await drive.edit(id, { move: { from: folder.id, to: home.driveFileId } });
      }
      await drive.edit(folder.id, { trashed: true });
    }
    await this.items.save({ ...item, state: 'gone' }, now);
    // What was being uploaded into it meanwhile is missed there.
    await this.queue.enqueue(ACTOR, [reconcileTaskFolder(tenantId, project.id, null)], now);
  }
}

/** What both sides last were. */
type Known = { readonly subjectId: string } & Partial<Pick<Item, 'ourName' | 'ourSha256'>>;

/** One whose file is there, and new to us, is being imported. */
function sameHere(known: Known | null, { id, name, sha256 }: CatalogueEvidence): boolean {
  return known === null || (known.subjectId === id && known.ourName === name && known.ourSha256 === sha256);
}

function differs(item: Item | undefined, file: DriveFile): boolean {
  if (item === undefined || item.state !== 'present' || item.name !== file.name || item.parentId !== file.parentId)
    return true;
  if (item.targetId !== null) return false;
  const revision = revisionOf(file);
  return item.problemRevision !== revision && (item.revision !== revision || item.subjectId === null);
}

async function* pagesOf(drive: Drive, folderId: string): AsyncGenerator<DriveFile[]> {
  for (let pageToken: string | undefined; ;) {
    const { files, next } = await drive.children(folderId, pageToken);
    yield files;
    if (next === null) return;
    pageToken = next;
  }
}
