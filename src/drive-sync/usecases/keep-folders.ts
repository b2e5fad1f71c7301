// The folders of the house in Drive: root, projects, tasks. Made once, whoever asks and however often; brought back when
// they were thrown away or moved.
import { DriveProblemError } from '../domain/drive-problem';
import type { CatalogueProject, CatalogueTask } from '../domain/catalogue-entry';
import type { DriveFile } from '../domain/drive-file';
import { newItem, type Item, type ItemKind } from '../domain/item';
import { softDeleteEvidence } from '../domain/jobs';
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
  readonly kind: ItemKind;
  readonly subjectId: string;
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
    const wanted: Wanted = { kind: 'root', subjectId: ROOT, parentId: drive.driveId ?? 'root', name };
    const item = await this.keep(drive, wanted, now, sure);
    await this.integrations.setRoot(drive.tenantId, drive.generation, item.driveFileId);
    return item;
  }

  async project(drive: Drive, { id, name }: CatalogueProject, now: Date, sure = false): Promise<Item> {
    const root = await this.known(drive, 'root', ROOT, sure, () => this.root(drive, now, sure));
    const wanted: Wanted = { kind: 'project', subjectId: id, parentId: root.driveFileId, name };
    return this.keep(drive, wanted, now, sure);
  }

  async task(
    drive: Drive,
    project: CatalogueProject,
    { id, name }: CatalogueTask,
    now: Date,
    sure = false,
  ): Promise<Item> {
    const home = await this.known(drive, 'project', project.id, sure, () => this.project(drive, project, now, sure));
    return this.keep(drive, { kind: 'task', subjectId: id, parentId: home.driveFileId, name }, now, sure);
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
    if (file.trashed) return this.mend(drive, { ...reserved, state: 'present' }, wanted, now);
    return this.present(drive, reserved, wanted, file, now);
  }

  private async reserve(drive: Drive, wanted: Wanted, now: Date): Promise<Item> {
    const [driveFileId = ''] = await drive.newIds(1);
    const { tenantId } = drive;
    return this.items.reserve(
      newItem({ ...wanted, tenantId, driveFileId, state: 'creating', ourName: wanted.name }),
      now,
    );
  }

  /** A repeated call finds the folder that the lost one made: its id was stored before. */
  private async create(
    drive: Drive,
    { driveFileId }: Item,
    { name, parentId, kind, subjectId }: Wanted,
  ): Promise<DriveFile> {
    try {
      return await drive.createFolder({ id: driveFileId, name, parentId, mark: `${kind} ${subjectId}` });
    } catch (error) {
      if (error instanceof DriveProblemError && error.problem === 'exists') return drive.file(driveFileId);
      throw error;
    }
  }

  /** What a person threw away or moved comes back; what is deleted for good is made anew. */
  private async mend(drive: Drive, item: Item, wanted: Wanted, now: Date): Promise<Item> {
    const file = await found(drive, item.driveFileId);
    if (file === null) return this.makeAnew(drive, item, wanted, now);
    let mended = file;
    if (file.explicitlyTrashed) mended = await drive.edit(file.id, { trashed: false });
    if (wanted.kind !== 'root' && file.parentId !== wanted.parentId) {
      mended = await drive.edit(file.id, { move: { from: file.parentId ?? '', to: wanted.parentId } });
    }
    return this.present(drive, item, wanted, mended, now);
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

  private async present(drive: Drive, item: Item, wanted: Wanted, file: DriveFile, now: Date): Promise<Item> {
    const { name, version } = file;
    const fresh = item.state === 'creating' || item.ourName === null;
    const known = fresh ? { name, ourName: wanted.name } : {};
    const saved: Item = { ...item, ...known, state: 'present', parentId: file.parentId, version };
    await this.items.save(saved, now);
    if (wanted.kind === 'project' || wanted.kind === 'task') {
      await this.catalogue.linkFolder(drive.tenantId, wanted.kind, wanted.subjectId, file.id);
    }
    return saved;
  }
}

/** Null: deleted, or no longer ours to see. */
export async function found(drive: Drive, id: string): Promise<DriveFile | null> {
  try {
    return await drive.file(id);
  } catch (error) {
    if (error instanceof DriveProblemError && error.problem === 'not-found') return null;
    throw error;
  }
}
