// Domain: a file or folder of Drive as we read it, and what of it counts.

export const FOLDER_TYPE = 'application/vnd.google-apps.folder';
export const SHORTCUT_TYPE = 'application/vnd.google-apps.shortcut';
const NATIVE = 'application/vnd.google-apps.';

export interface DriveFile {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  readonly parentId: string | null;
  /** Inherited: also true beneath a folder in the trash. */
  readonly trashed: boolean;
  readonly explicitlyTrashed: boolean;
  readonly md5: string | null;
  readonly sha256: string | null;
  readonly size: number | null;
  readonly modifiedAt: string | null;
  readonly version: number;
  /** What we wrote when we made it: whose it is. */
  readonly mark: string | null;
  readonly targetId: string | null;
}

export interface DriveChange {
  readonly fileId: string;
  /** Deleted, or no longer ours to see: Drive does not tell which. */
  readonly removed: boolean;
  readonly file: DriveFile | null;
}

export function isFolder({ mimeType }: DriveFile): boolean {
  return mimeType === FOLDER_TYPE;
}

/** Changes when the content does, and only then: of a native document, which has no checksum, the time of its last edit. */
export function revisionOf({ md5, modifiedAt, version }: DriveFile): string {
  return md5 ?? `edited ${modifiedAt ?? version}`;
}

/** A native document or a shortcut cannot be given the bytes of a file. */
export function takesContent({ mimeType }: DriveFile): boolean {
  return !mimeType.startsWith(NATIVE);
}

/** Not only thrown away with the folder that it is in: those of ours come back, and what is in them with them. */
export function thrownAway({ trashed, explicitlyTrashed }: DriveFile, inOurs: boolean): boolean {
  return explicitlyTrashed || (trashed && !inOurs);
}

export interface Export {
  readonly mimeType: string;
  readonly extension: string;
}

const EXPORTS: Readonly<Record<string, Export>> = {
  spreadsheet: {
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: '.xlsx',
  },
  document: { mimeType: 'application/pdf', extension: '.pdf' },
  presentation: { mimeType: 'application/pdf', extension: '.pdf' },
  drawing: { mimeType: 'application/pdf', extension: '.pdf' },
};

/** How its evidence is called: a native document gets the ending of what it is exported as. */
export function nameOutside(file: DriveFile): string {
  const form = exportOf(file);
  return form === null || form === 'none' || file.name.endsWith(form.extension)
    ? file.name
    : file.name + form.extension;
}

/** The way back. */
export function nameInDrive(file: DriveFile, ourName: string): string {
  const form = exportOf(file);
  if (form === null || form === 'none' || !ourName.endsWith(form.extension)) return ourName;
  return ourName.slice(0, -form.extension.length);
}

/** How a native document becomes a file; null for a file with content of its own; 'none' for what has no form outside. */
export function exportOf({ mimeType }: DriveFile): Export | null | 'none' {
  if (!mimeType.startsWith(NATIVE)) return null;
  return EXPORTS[mimeType.slice(NATIVE.length)] ?? 'none';
}
