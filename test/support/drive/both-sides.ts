// Test support. What a tenant has in Horarium, and what there is in its Drive, written down in the same words.
import { createHash } from 'node:crypto';
import type { TestDatabase } from '../database';
import type { DriveEmulator } from './drive-emulator';
import { FOLDER, type EmulatedFile } from './emulated-files';

/** `Project/`, `Project/Task/`, `Project/Task/file.txt <content>`; sorted. */
export async function oursOf({ admin }: TestDatabase, tenantId: number, projectId?: string): Promise<string[]> {
  const { rows } = await admin.query<{ path: string }>(
    `select p.name || '/' as path from projects p where p.tenant_id = $1 and p.archived_at is null and ($2::text is null or p.id = $2)
     union all
     select p.name || '/' || t.name || '/' from project_tasks t join projects p on p.id = t.project_id
      where t.tenant_id = $1 and t.deleted_at is null and p.archived_at is null and ($2::text is null or p.id = $2)
     union all
     select p.name || '/' || coalesce(t.name || '/', '') || e.name || ' ' || left(e.sha256, 12)
       from evidence e join projects p on p.id = e.project_id left join project_tasks t on t.id = e.task_id
      where e.tenant_id = $1 and e.deleted_at is null and p.archived_at is null and ($2::text is null or p.id = $2)`,
    [tenantId, projectId ?? null],
  );
  return rows.map(({ path }) => path).sort();
}

export function theirsOf(drive: DriveEmulator, rootId: string, project?: string): string[] {
  const found: string[] = [];
  const walk = (folder: EmulatedFile, path: string): void => {
    for (const file of drive.files.childrenOf(folder.id)) {
      if (file.explicitlyTrashed || (path === '' && project !== undefined && file.name !== project)) continue;
      if (file.mimeType === FOLDER) {
        found.push(`${path}${file.name}/`);
        walk(file, `${path}${file.name}/`);
      } else {
        const sha = createHash('sha256').update(file.content ?? Buffer.alloc(0));
        found.push(`${path}${file.name} ${sha.digest('hex').slice(0, 12)}`);
      }
    }
  };
  walk(drive.files.files.get(rootId)!, '');
  return found.sort();
}

/** Folders of ours that there are two of. */
export function twinsIn(drive: DriveEmulator, space: string): string[] {
  const marks = [...drive.files.files.values()]
    .filter((file) => file.space === space && file.mimeType === FOLDER && !drive.files.trashed(file))
    .flatMap(({ appProperties }) => appProperties.horarium ?? []);
  return marks.filter((mark, nr) => marks.indexOf(mark) !== nr);
}

/** The folder that everything of a tenant is in, wherever it is now. */
export function theirsRootOf(drive: DriveEmulator, space: string): string | undefined {
  return [...drive.files.files.values()].find(
    (file) => file.space === space && file.appProperties.horarium === 'root root' && !file.explicitlyTrashed,
  )?.id;
}
