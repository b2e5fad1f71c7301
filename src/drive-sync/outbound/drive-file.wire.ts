// Outbound. A file as Drive says it. Without a list of fields Drive answers four of them.
import type { drive_v3 } from '@googleapis/drive';
import type { DriveFile } from '../domain/drive-file';

/** The key of our mark among the appProperties, which only our OAuth client sees. */
export const MARK = 'horarium';

export const FILE_FIELDS =
  'id,name,mimeType,parents,trashed,explicitlyTrashed,md5Checksum,sha256Checksum,size,modifiedTime,version,appProperties,shortcutDetails(targetId)';
export const CHANGE_FIELDS = `nextPageToken,newStartPageToken,changes(fileId,removed,changeType,file(${FILE_FIELDS}))`;

export function toFile(file: drive_v3.Schema$File): DriveFile {
  return {
    id: file.id ?? '',
    name: file.name ?? '',
    mimeType: file.mimeType ?? '',
    parentId: file.parents?.[0] ?? null,
    trashed: file.trashed === true,
    explicitlyTrashed: file.explicitlyTrashed === true,
    md5: file.md5Checksum ?? null,
    sha256: file.sha256Checksum ?? null,
    size: file.size === undefined || file.size === null ? null : Number(file.size),
    modifiedAt: file.modifiedTime ?? null,
    version: Number(file.version ?? 0),
    mark: file.appProperties?.[MARK] ?? null,
    targetId: file.shortcutDetails?.targetId ?? null,
  };
}
