// Port: Google Drive, as one tenant's grant sees it. Every method throws DriveProblemError, and nothing else, when Drive
// refuses or does not answer; nothing is tried twice in here, the queue decides (but for the pieces of a large upload).
import { token } from '../../kernel/token';
import type { Content } from '../domain/content';
import type { DriveChange, DriveFile } from '../domain/drive-file';

export interface NewFolder {
  /** From `newIds`, stored before the call: a repeated call is answered 409 (`exists`), and makes no second folder. */
  readonly id: string;
  readonly name: string;
  readonly parentId: string;
  readonly mark: string;
}

export interface NewUpload extends NewFolder {
  readonly mimeType: string;
  readonly size: number;
}

export interface FileEdit {
  readonly name?: string;
  readonly trashed?: boolean;
  readonly move?: { readonly from: string; readonly to: string };
}

export interface ChannelAsk {
  readonly id: string;
  readonly address: string;
  readonly token: string;
  readonly expiresAt: Date;
  readonly pageToken: string;
}

export interface Drive {
  readonly tenantId: number;
  readonly generation: number;
  readonly driveId: string | null;
  newIds(count: number): Promise<string[]>;
  startPageToken(): Promise<string>;
  changes(pageToken: string): Promise<{ changes: DriveChange[]; next: string; last: boolean }>;
  /** Also for one in the trash. */
  file(id: string): Promise<DriveFile>;
  /** Of a folder, those in the trash left out; `next` until the last page. */
  children(folderId: string, pageToken?: string): Promise<{ files: DriveFile[]; next: string | null }>;
  createFolder(folder: NewFolder): Promise<DriveFile>;
  upload(file: NewUpload, content: Content): Promise<DriveFile>;
  /** New content for a file that is there. */
  replace(id: string, file: { readonly mimeType: string; readonly size: number }, content: Content): Promise<DriveFile>;
  edit(id: string, edit: FileEdit): Promise<DriveFile>;
  download(id: string): Promise<Content>;
  export(id: string, mimeType: string): Promise<Content>;
  watch(channel: ChannelAsk): Promise<{ resourceId: string; expiresAt: Date }>;
  stopChannel(id: string, resourceId: string): Promise<void>;
}

export interface Drives {
  /** @throws NotConnectedError */
  of(tenantId: number): Promise<Drive>;
}

export const Drives = token<Drives>('Drives');
