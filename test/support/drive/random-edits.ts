// Test support. What people of one tenant do at random, here and in its Drive; a seed repeats what they chose to do.
import type { Client } from '../app';
import { theirsRootOf } from './both-sides';
import type { ConnectedHouse } from './connected-house';
import { FOLDER, type EmulatedFile } from './emulated-files';

type Edit = () => unknown;

interface Known {
  readonly id: string;
  readonly project_id: string;
  readonly deleted?: boolean;
}

export class RandomEdits {
  /** How often each was done. */
  readonly done = new Map<string, number>();
  private serial = 0;

  constructor(
    private readonly is: ConnectedHouse,
    private readonly alice: Client,
    readonly tenantId: number,
    private readonly space: string,
    private readonly random: () => number,
  ) {}

  /** One edit, on either side. What was refused because somebody was quicker is no edit. */
  async one(): Promise<void> {
    const edits = this.random() < 0.5 ? await this.ours() : this.theirs();
    const [name, edit] = this.pick(edits) ?? ['nothing', () => undefined];
    await edit();
    this.done.set(name, (this.done.get(name) ?? 0) + 1);
  }

  /** So that there is something to edit. */
  async begin(): Promise<void> {
    for (let nr = 0; nr < 2; nr++) await this.newProject();
  }

  private async ours(): Promise<[string, Edit][]> {
    const projects = await this.rows<Known>(
      'select id, id as project_id from projects where tenant_id = $1 order by created_at, id',
    );
    const tasks = await this.rows<Known>(
      'select id, project_id from project_tasks where tenant_id = $1 and deleted_at is null order by created_at, id',
    );
    const evidence = await this.rows<Known>(
      'select id, project_id, deleted_at is not null as deleted from evidence where tenant_id = $1 order by created_at, id',
    );
    const project = this.pick(projects);
    const task = this.pick(tasks);
    const alive = this.pick(evidence.filter(({ deleted }) => deleted !== true));
    const dead = this.pick(evidence.filter(({ deleted }) => deleted === true));
    const patch = (path: string, body: object) => this.alice.patch(`/api/1.0/${path}`, body);
    const edits: [string, Edit | undefined][] = [
      ['new project', this.random() < 0.2 ? () => this.newProject() : undefined],
      ['new task', project && (() => this.newTask(project.id))],
      ['rename project', project && (() => patch(`projects/${project.id}`, { name: this.name('Project') }))],
      ['rename task', task && (() => patch(`project-tasks/${task.id}`, { name: this.name('Task') }))],
      [
        'delete task',
        task && this.random() < 0.4 ? () => this.alice.delete(`/api/1.0/project-tasks/${task.id}`) : undefined,
      ],
      ['upload', task && (() => this.upload(task))],
      ['upload', project && (() => this.upload({ id: null, project_id: project.id }))],
      ['upload', task && (() => this.upload(task))],
      ['rename evidence', alive && (() => patch(`evidence/${alive.id}`, { name: `${this.name('here')}.txt` }))],
      [
        'move evidence',
        alive && (() => patch(`evidence/${alive.id}`, { task_id: this.placeIn(alive.project_id, tasks) })),
      ],
      [
        'rewrite evidence',
        alive && (() => this.is.rewrite(alive.id, this.name('text'), this.tenantId).catch(() => undefined)),
      ],
      ['delete evidence', alive && (() => this.alice.delete(`/api/1.0/evidence/${alive.id}`))],
      ['restore evidence', dead && (() => this.alice.post(`/api/1.0/evidence/${dead.id}/restore`))],
    ];
    return edits.filter((edit): edit is [string, Edit] => edit[1] !== undefined);
  }

  private theirs(): [string, Edit][] {
    const { files } = this.is.drive;
    const inside = this.beneath(theirsRootOf(this.is.drive, this.space));
    const folders = inside.filter(({ mimeType, explicitlyTrashed }) => mimeType === FOLDER && !explicitlyTrashed);
    const plain = inside.filter(({ mimeType }) => mimeType !== FOLDER);
    const folder = this.pick(folders);
    const other = this.pick(folders);
    const alive = this.pick(plain.filter(({ explicitlyTrashed }) => !explicitlyTrashed));
    const dead = this.pick(plain.filter(({ explicitlyTrashed }) => explicitlyTrashed));
    const put = (home: EmulatedFile) => () => {
      const name = `${this.name('there')}.txt`;
      files.create(this.space, { name, mimeType: 'text/plain', parents: [home.id] }, Buffer.from(name));
    };
    const seldom = this.random() < 0.3;
    const edits: [string, Edit | undefined][] = [
      ['put a file', folder && put(folder)],
      ['put a file', other && put(other)],
      ['rename a file', alive && (() => files.update(alive, { name: `${this.name('there')}.txt` }))],
      ['write a file', alive && (() => files.write(alive, Buffer.from(this.name('text'))))],
      ['move a file', alive && other && (() => files.update(alive, { addParents: other.id }))],
      [
        'move a file out',
        alive && seldom ? () => files.update(alive, { addParents: files.rootOf(this.space) }) : undefined,
      ],
      ['trash a file', alive && (() => files.update(alive, { trashed: true }))],
      ['untrash a file', dead && (() => files.update(dead, { trashed: false }))],
      ['delete a file', alive && seldom ? () => files.remove(alive) : undefined],
      ['rename a folder', folder && (() => files.update(folder, { name: this.name('Folder') }))],
      ['trash a folder', folder && seldom ? () => files.update(folder, { trashed: true }) : undefined],
      [
        'move a folder',
        folder && seldom ? () => files.update(folder, { addParents: files.rootOf(this.space) }) : undefined,
      ],
      ['delete a folder', folder && this.random() < 0.1 ? () => files.remove(folder) : undefined],
    ];
    return edits.filter((edit): edit is [string, Edit] => edit[1] !== undefined);
  }

  private beneath(folderId: string | undefined): EmulatedFile[] {
    if (folderId === undefined) return [];
    return this.is.drive.files
      .childrenOf(folderId)
      .flatMap((file) => [file, ...(file.mimeType === FOLDER ? this.beneath(file.id) : [])]);
  }

  private async newProject(): Promise<void> {
    const { body } = await this.alice.post('/api/1.0/projects', { name: this.name('Project') }).expect(201);
    const { id } = body as { id: string };
    await this.newTask(id);
    await this.newTask(id);
  }

  private async newTask(projectId: string): Promise<void> {
    await this.alice.post(`/api/1.0/projects/${projectId}/tasks`, { name: this.name('Task') }).expect(201);
  }

  private async upload(task: { readonly id: string | null; readonly project_id: string }): Promise<void> {
    const name = `${this.name('here')}.txt`;
    await this.is.upload(task.id, task.project_id, name, name, this.tenantId).catch(() => undefined);
  }

  private placeIn(projectId: string, tasks: readonly Known[]): string | null {
    return this.pick(tasks.filter(({ project_id: of }) => of === projectId))?.id ?? null;
  }

  private name(what: string): string {
    return `${what} ${this.tenantId}-${++this.serial}`;
  }

  private pick<T>(of: readonly T[]): T | undefined {
    return of[Math.floor(this.random() * of.length)];
  }

  private async rows<T>(statement: string): Promise<T[]> {
    return (await this.is.house.database.admin.query(statement, [this.tenantId])).rows as T[];
  }
}
