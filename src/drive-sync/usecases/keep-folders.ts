// The folders of the house in Drive: root, projects, tasks. Made once, whoever asks and however often; brought back when
// they were thrown away or moved.
import { DriveProblemError } from '../domain/drive-problem';
import type { CatalogueProject, CatalogueTask } from '../domain/catalogue-entry';
import type { DriveFile } from '../domain/drive-file';
import { newItem, type Item, type ItemKind } from '../domain/item';
import { reconcileTaskFolder, renameFolder, softDeleteEvidence } from '../domain/jobs';
import type { SyncPolicy } from '../domain/sync-policy';
import type { Catalogue } from '../ports/catalogue';
import type { Drive } from '../ports/drive';
import type { IntegrationRepository } from '../ports/integration-repository';
import type { ItemIndex } from '../ports/item-index';
import type { JobQueue } from '../ports/job-queue';
import { systemActor } from '../../kernel/actor';

const ACTOR = systemActor('drive: folders');
const ROOT = 'root';

interface Wanted {
  readonly kind: Exclude<ItemKind, 'file'>;
  readonly subjectId: string;
  readonly projectId: string;
  readonly parentId: string;
  readonly name: string;
}

export class KeepFolders {
  constructor(
    private readonly items: ItemIndex,
    private readonly catalogue: Catalogue,
    private readonly integrations: IntegrationRepository,
    private readonly queue: JobQueue,
    private readonly policy: SyncPolicy,
  ) {}

  /** @param sure look in Drive, also when we know of the folder */
  async root(drive: Drive, now: Date, sure = false): Promise<Item> {
    const name = this.policy.rootFolderName;
    const wanted: Wanted = { kind: 'root', subjectId: ROOT, projectId: '', parentId: drive.driveId ?? 'root', name };
    const item = await this.keep(drive, wanted, now, sure);
    await this.integrations.setRoot(drive.tenantId, drive.generation, item.driveFileId);
    return item;
  }

  async project(drive: Drive, { id, name }: CatalogueProject, now: Date, sure = false): Promise<Item> {
    return this.beneath(sure, async (look) => {
      const root = await this.known(drive, 'root', ROOT, look, () => this.root(drive, now, look));
      const parentId = root.driveFileId;
      return this.keep(drive, { kind: 'project', subjectId: id, projectId: id, parentId, name }, now, sure);
    });
  }

  async task(
    drive: Drive,
    project: CatalogueProject,
    { id, name }: CatalogueTask,
    now: Date,
    sure = false,
  ): Promise<Item> {
    return this.beneath(sure, async (look) => {
      const home = await this.known(drive, 'project', project.id, look, () => this.project(drive, project, now, look));
      const parentId = home.driveFileId;
      return this.keep(drive, { kind: 'task', subjectId: id, projectId: project.id, parentId, name }, now, sure);
    });
  }

  /** A folder above that we know, and Drive does not any more, is looked after once. */
  private async beneath(sure: boolean, make: (look: boolean) => Promise<Item>): Promise<Item> {
    try {
      return await make(sure);
    } catch (error) {
      if (sure || !isNotFound(error)) throw error;
      return make(true);
    }
  }

  private async known(
    drive: Drive,
    kind: ItemKind,
    id: string,
    sure: boolean,
    make: () => Promise<Item>,
  ): Promise<Item> {
    const item = sure ? null : await this.items.bySubject(drive.tenantId, kind, id);
    return item?.state === 'present' ? item : make();
  }

  private async keep(drive: Drive, wanted: Wanted, now: Date, sure: boolean): Promise<Item> {
    const { tenantId } = drive;
    const known = await this.items.bySubject(tenantId, wanted.kind, wanted.subjectId);
    if (known?.state === 'present') return sure ? this.mend(drive, known, wanted, now) : known;
    const reserved = known ?? (await this.reserve(drive, wanted, now));
    const file = await this.create(drive, reserved, wanted);
    if (file === null) return this.makeAnew(drive, reserved, wanted, now);
    if (file.trashed) return this.mend(drive, { ...reserved, state: 'present' }, wanted, now);
    return this.present(drive, reserved, wanted, file, now);
  }

  private async reserve(drive: Drive, wanted: Wanted, now: Date): Promise<Item> {
    const [driveFileId = ''] = await drive.newIds(1);
    const { tenantId } = drive;
    const { kind, subjectId, parentId, name } = wanted;
    return this.items.reserve(
      newItem({ tenantId, driveFileId, kind, subjectId, parentId, name, state: 'creating', ourName: name }),
      now,
    );
  }

  /** A repeated call finds the folder that the lost one made: its id was stored before. Null: deleted for good since. */
  private async create(
    drive: Drive,
    { driveFileId }: Item,
    { name, parentId, kind, subjectId }: Wanted,
  ): Promise<DriveFile | null> {
    try {
      return await drive.createFolder({ id: driveFileId, name, parentId, mark: `${kind} ${subjectId}` });
    } catch (error) {
      if (error instanceof DriveProblemError && error.problem === 'exists') return found(drive, driveFileId);
      throw error;
    }
  }

  /** What a person threw away or moved comes back; what is deleted for good is made anew. */
  private async mend(drive: Drive, item: Item, wanted: Wanted, now: Date): Promise<Item> {
    const file = await found(drive, item.driveFileId);
    if (file === null) return this.makeAnew(drive, item, wanted, now);
    let mended = file;
    let away = file.trashed;
    if (file.explicitlyTrashed) mended = await drive.edit(file.id, { trashed: false });
    if (wanted.kind !== 'root' && file.parentId !== wanted.parentId) {
      mended = await drive.edit(file.id, { move: { from: file.parentId ?? '', to: wanted.parentId } });
      away = true;
    }
    return this.present(drive, item, wanted, mended, now, away);
  }

  private async makeAnew(drive: Drive, item: Item, wanted: Wanted, now: Date): Promise<Item> {
    const { tenantId } = drive;
    for (let after = ''; ;) {
      const files = await this.items.inFolder(tenantId, item.driveFileId, after, 500);
      const gone = files
        .filter(({ kind }) => kind === 'file')
        .map(({ driveFileId }) => softDeleteEvidence(tenantId, driveFileId));
      await this.queue.enqueue(ACTOR, gone, now);
      if (files.length < 500) break;
      after = files.at(-1)?.driveFileId ?? '';
    }
    await this.items.remove(tenantId, item.driveFileId);
    return this.keep(drive, wanted, now, false);
  }

  /**
   * Names stay as they were last the same: who finds another one queues the comparison. A folder that is new to us or was
   * away is compared, too: what people put there before we knew of it was in the feed already, and meant nothing then.
   */
  private async present(
    drive: Drive,
    item: Item,
    wanted: Wanted,
    file: DriveFile,
    now: Date,
    away = item.state !== 'present',
  ): Promise<Item> {
    const { tenantId } = drive;
    const { kind, subjectId, projectId } = wanted;
    const saved: Item = { ...item, state: 'present', parentId: file.parentId, version: file.version };
    await this.items.save(saved, now);
    if (kind === 'root') return saved;
    await this.catalogue.linkFolder(tenantId, kind, subjectId, file.id);
    const named = file.name === item.name && wanted.name === item.ourName;
    await this.queue.enqueue(
      ACTOR,
      [
        ...(named ? [] : [renameFolder(tenantId, kind, subjectId)]),
        ...(away ? [reconcileTaskFolder(tenantId, projectId, kind === 'task' ? subjectId : null)] : []),
      ],
      now,
    );
    return saved;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof DriveProblemError && error.problem === 'not-found';
}

/** Null: deleted, or no longer ours to see. */
export async function found(drive: Drive, id: string): Promise<DriveFile | null> {
  try {
    return await drive.file(id);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
