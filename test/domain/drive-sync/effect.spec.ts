// What a change in Drive asks for, cell by cell; and the merge of a file with its evidence.
import type { DriveChange, DriveFile } from '../../../src/drive-sync/domain/drive-file';
import { nameInDrive, nameOutside } from '../../../src/drive-sync/domain/drive-file';
import { effectOf, type Known } from '../../../src/drive-sync/domain/effect';
import { contentSide, nameSide, presence } from '../../../src/drive-sync/domain/file-merge';
import { newItem, type Item } from '../../../src/drive-sync/domain/item';
import { jobsOf } from '../../../src/drive-sync/usecases/follow-catalogue';

const FILE: DriveFile = {
  id: 'file-1',
  name: 'a.txt',
  mimeType: 'text/plain',
  parentId: 'folder-task',
  trashed: false,
  explicitlyTrashed: false,
  md5: 'md5',
  sha256: 'sha',
  size: 3,
  modifiedAt: null,
  version: 4,
  mark: null,
  targetId: null,
};
const item = (more: Partial<Item>): Item =>
  newItem({ tenantId: 1, driveFileId: 'file-1', kind: 'file', name: 'a.txt', parentId: 'folder-task', ...more });
const TASK = item({
  driveFileId: 'folder-task',
  kind: 'task',
  subjectId: 'task-1',
  parentId: 'folder-project',
  name: 'T',
});
const KNOWN = item({ subjectId: 'evidence-1', revision: 'md5', ourName: 'a.txt' });

function effects(change: Partial<DriveChange>, known: Partial<Known> = {}): string[] {
  const whole = { fileId: 'file-1', removed: false, file: FILE, ...change };
  const given = { item: null, parent: TASK, shortcuts: [], projectOf: () => 'project-1', ...known };
  return effectOf(1, whole, given).map(({ type, payload }) => `${type} ${Object.values(payload).join(' ')}`);
}

describe('a file', () => {
  it.each([
    ['new in a task', {}, {}, ['IMPORT_DRIVE_FILE file-1']],
    ['new elsewhere', {}, { parent: null }, []],
    ['new in the root, where no evidence is', {}, { parent: { ...TASK, kind: 'root' as const } }, []],
    ['new, and in the trash already', { file: { ...FILE, trashed: true, explicitlyTrashed: true } }, {}, []],
    ['new, and a folder', { file: { ...FILE, mimeType: 'application/vnd.google-apps.folder' } }, {}, []],
    ['our own write that comes back', {}, { item: KNOWN }, []],
    ['renamed', { file: { ...FILE, name: 'b.txt' } }, { item: KNOWN }, ['IMPORT_DRIVE_FILE file-1']],
    ['with new content', { file: { ...FILE, md5: 'other' } }, { item: KNOWN }, ['IMPORT_DRIVE_FILE file-1']],
    ['known to be impossible, unchanged', {}, { item: { ...KNOWN, revision: null, problemRevision: 'md5' } }, []],
    [
      'trashed',
      { file: { ...FILE, trashed: true, explicitlyTrashed: true } },
      { item: KNOWN },
      ['SOFT_DELETE_EVIDENCE file-1'],
    ],
    ['trashed with its folder, which comes back', { file: { ...FILE, trashed: true } }, { item: KNOWN }, []],
    ['deleted', { removed: true, file: null }, { item: KNOWN }, ['SOFT_DELETE_EVIDENCE file-1']],
    ['deleted, which we know', { removed: true, file: null }, { item: { ...KNOWN, state: 'gone' as const } }, []],
    ['moved out', { file: { ...FILE, parentId: 'x' } }, { item: KNOWN, parent: null }, ['SOFT_DELETE_EVIDENCE file-1']],
    ['moved to another task', { file: { ...FILE, parentId: 'other' } }, { item: KNOWN }, ['IMPORT_DRIVE_FILE file-1']],
    ['restored', {}, { item: { ...KNOWN, state: 'gone' as const } }, ['IMPORT_DRIVE_FILE file-1']],
  ])('%s', (_, change, known, expected) => {
    expect(effects(change, known)).toEqual(expected);
  });

  it('whose content a shortcut of ours shows is read again through the shortcut', () => {
    const shortcut = item({ driveFileId: 'short-1', targetId: 'file-1', revision: 'old', subjectId: 'e' });
    expect(effects({}, { parent: null, shortcuts: [shortcut] })).toEqual(['IMPORT_DRIVE_FILE short-1']);
  });
});

describe('a folder of ours', () => {
  const folder = { ...FILE, id: 'folder-task', name: 'T', parentId: 'folder-project' };
  it.each([
    ['as it was', folder, []],
    ['renamed', { ...folder, name: 'New' }, ['RENAME_FOLDER task task-1']],
    ['trashed', { ...folder, trashed: true }, ['CREATE_FOLDER project-1 task-1']],
    ['moved', { ...folder, parentId: 'x' }, ['CREATE_FOLDER project-1 task-1']],
  ])('%s', (_, file, expected) => {
    expect(effects({ fileId: 'folder-task', file }, { item: TASK, parent: null })).toEqual(expected);
  });
});

describe('the merge', () => {
  it.each([
    ['present', true, true, 'both'],
    ['present', true, false, 'delete-evidence'],
    ['present', false, true, 'trash-in-drive'],
    ['present', false, false, 'neither'],
    ['gone', true, true, 'both'],
    ['gone', true, false, 'bring-back-in-drive'],
    ['gone', false, true, 'restore-evidence'],
    ['gone', false, false, 'neither'],
  ] as const)('was %s, here %s, in Drive %s: %s', (base, ours, theirs, expected) => {
    expect(presence(base, ours, theirs)).toBe(expected);
  });

  it('of names: whoever changed it; Horarium when both did', () => {
    const side = (ours: string, theirs: string) => nameSide(KNOWN, { name: ours }, { ...FILE, name: theirs });
    expect([side('a.txt', 'a.txt'), side('b.txt', 'a.txt'), side('a.txt', 'c.txt'), side('b.txt', 'c.txt')]).toEqual([
      'none',
      'push',
      'pull',
      'push',
    ]);
  });

  it('of contents: nothing is copied that is the same', () => {
    const evidence = { ...EVIDENCE, sha256: 'sha' };
    expect(contentSide({ ...KNOWN, revision: null }, evidence, FILE)).toBe('none');
    expect(contentSide({ ...KNOWN, ourSha256: 'x' }, { ...evidence, sha256: 'x' }, { ...FILE, md5: 'new' })).toBe(
      'pull',
    );
    expect(contentSide({ ...KNOWN, ourSha256: 'x' }, { ...evidence, sha256: 'y' }, FILE)).toBe('push');
  });

  it('of contents that both changed: Drive keeps its own as an earlier version, we would not', () => {
    const both = [
      { ...KNOWN, ourSha256: 'x' },
      { ...EVIDENCE, sha256: 'y' },
    ] as const;
    expect(contentSide(...both, { ...FILE, md5: 'new' })).toBe('push');
    const doc = { ...FILE, md5: null, sha256: null, mimeType: 'application/vnd.google-apps.document' };
    expect(contentSide(...both, doc)).toBe('pull');
  });

  it('keeps the ending of what was exported out of Drive', () => {
    const doc = { ...FILE, name: 'Plan', mimeType: 'application/vnd.google-apps.document' };
    expect(nameOutside(doc)).toBe('Plan.pdf');
    expect(nameInDrive(doc, 'New plan.pdf')).toBe('New plan');
    expect(nameInDrive(FILE, 'a.pdf')).toBe('a.pdf');
  });
});

const EVIDENCE = {
  id: 'evidence-1',
  projectId: 'project-1',
  taskId: 'task-1',
  name: 'a.txt',
  mimeType: 'text/plain',
  size: 3,
  driveFileId: 'file-1',
  deleted: false,
};

test('what came from Drive asks for nothing in Drive', () => {
  const payload = { evidence_id: 'evidence-1', drive_file_id: 'file-1', origin: 'drive' };
  expect(jobsOf({ tenantId: 1, type: 'evidence.added', payload })).toEqual([]);
  const [job] = jobsOf({ tenantId: 1, type: 'evidence.deleted', payload: { ...payload, origin: 'upload' } });
  expect(job).toMatchObject({
    type: 'ARCHIVE_DRIVE_FILE',
    payload: { drive_file_id: 'file-1' },
    itemKey: 'file file-1',
  });
});
