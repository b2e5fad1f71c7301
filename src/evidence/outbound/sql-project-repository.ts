// Outbound adapter. Owns the tables projects and project_tasks.
import type { Actor } from '../../kernel/actor';
import { appendEvents } from '../../platform/outbox';
import type { Sessions } from '../../platform/persistence/sessions';
import { constraintOf } from '../../platform/persistence/sql-errors';
import { DriveFolderTakenError, ProjectArchivedError } from '../domain/errors';
import { projectEvent, projectTaskEvent } from '../domain/events';
import type { ChangeOrigin } from '../domain/evidence';
import type { PageRequest, ProjectFilter } from '../domain/listing';
import type { Project, ProjectTask } from '../domain/project';
import type { ProjectRepository } from '../ports/project-repository';
import { type ProjectRow, type ProjectTaskRow, toProject, toProjectTask } from './project.row';

/** The first fence, beside the policies. The system is about everybody's. */
const OURS = '($1::integer is null or tenant_id = $1)';

const ADD = `
  insert into projects (id, tenant_id, name, created_by, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)`;
const FIND = `select * from projects where ${OURS} and id = $2`;
const LIST = `
  select * from projects
   where ${OURS} and (archived_at is not null) = $2 and ($3::timestamptz is null or (created_at, id) < ($3, $4::text))
   order by created_at desc, id desc limit $5`;
const RENAME = `update projects set name = $3, updated_at = $4 where ${OURS} and id = $2 and name <> $3 returning *`;
const ARCHIVE = `
  update projects set archived_at = $3, updated_at = $3 where ${OURS} and id = $2 and archived_at is null returning *`;
const LINK = `update projects set drive_folder_id = $3 where ${OURS} and id = $2 returning id`;

// Holds the project's row until the commit, so that nothing is added to one that is archived at this moment.
const OPEN_PROJECT = `select id from projects where id = $1 and archived_at is null for share`;
const ADD_TASK = `
  insert into project_tasks (id, tenant_id, project_id, name, control_family, created_by, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $7)`;
const FIND_TASK = `select * from project_tasks where ${OURS} and id = $2`;
const TASKS = `
  select * from project_tasks where ${OURS} and project_id = $2 and deleted_at is null order by created_at, id`;
const CHANGE_TASK = `
  update project_tasks t
     set name = coalesce($3, t.name), control_family = case when $4 then $5 else t.control_family end, updated_at = $6
    from (select id, name as old_name from project_tasks where ${OURS} and id = $2 and deleted_at is null for update) old
   where t.id = old.id
  returning t.*, t.name <> old.old_name as renamed`;
const DELETE_TASK = `
  update project_tasks set deleted_at = $3, updated_at = $3 where ${OURS} and id = $2 and deleted_at is null returning *`;
const FREE_EVIDENCE = `update evidence set task_id = null, updated_at = $2 where task_id = $1`;
const LINK_TASK = `update project_tasks set drive_folder_id = $3 where ${OURS} and id = $2 returning id`;

export class SqlProjectRepository implements ProjectRepository {
  constructor(private readonly sessions: Sessions) {}

  async add(actor: Actor, project: Project, origin: ChangeOrigin): Promise<void> {
    const { id, tenantId, name, createdBy, createdAt } = project;
    await this.sessions.run(actor, async (tx) => {
      await tx.query(ADD, [id, tenantId, name, createdBy, createdAt]);
      await appendEvents(tx, [projectEvent('project.created', project, origin, createdAt)]);
    });
  }

  async find(actor: Actor, projectId: string): Promise<Project | null> {
    const [row] = await this.sessions.run(actor, (tx) => tx.query<ProjectRow>(FIND, [tenantOf(actor), projectId]));
    return row === undefined ? null : toProject(row);
  }

  async list(actor: Actor, { archived = false }: ProjectFilter, { after, limit }: PageRequest): Promise<Project[]> {
    const values = [tenantOf(actor), archived, after?.createdAt, after?.id, limit];
    const rows = await this.sessions.run(actor, (tx) => tx.query<ProjectRow>(LIST, values));
    return rows.map(toProject);
  }

  rename(actor: Actor, projectId: string, name: string, origin: ChangeOrigin, now: Date): Promise<Project | null> {
    return this.change(actor, projectId, RENAME, [name, now], 'project.renamed', origin, now);
  }

  archive(actor: Actor, projectId: string, origin: ChangeOrigin, now: Date): Promise<Project | null> {
    return this.change(actor, projectId, ARCHIVE, [now], 'project.archived', origin, now);
  }

  linkFolder(actor: Actor, projectId: string, driveFolderId: string | null): Promise<boolean> {
    return this.link(actor, LINK, projectId, driveFolderId);
  }

  async addTask(actor: Actor, task: ProjectTask, origin: ChangeOrigin): Promise<void> {
    const { id, tenantId, projectId, name, controlFamily, createdBy, createdAt } = task;
    await this.sessions.run(actor, async (tx) => {
      const open = await tx.query(OPEN_PROJECT, [projectId]);
      if (open.length === 0) throw new ProjectArchivedError(projectId);
      await tx.query(ADD_TASK, [id, tenantId, projectId, name, controlFamily, createdBy, createdAt]);
      await appendEvents(tx, [projectTaskEvent('project-task.created', task, origin, createdAt)]);
    });
  }

  async findTask(actor: Actor, taskId: string): Promise<ProjectTask | null> {
    const [row] = await this.sessions.run(actor, (tx) =>
      tx.query<ProjectTaskRow>(FIND_TASK, [tenantOf(actor), taskId]),
    );
    return row === undefined ? null : toProjectTask(row);
  }

  async tasks(actor: Actor, projectId: string): Promise<ProjectTask[]> {
    const rows = await this.sessions.run(actor, (tx) => tx.query<ProjectTaskRow>(TASKS, [tenantOf(actor), projectId]));
    return rows.map(toProjectTask);
  }

  async changeTask(
    actor: Actor,
    taskId: string,
    { name, controlFamily }: { readonly name?: string; readonly controlFamily?: string | null },
    origin: ChangeOrigin,
    now: Date,
  ): Promise<ProjectTask | null> {
    const values = [tenantOf(actor), taskId, name, controlFamily !== undefined, controlFamily ?? null, now];
    return this.sessions.run(actor, async (tx) => {
      const [row] = await tx.query<ProjectTaskRow & { renamed: boolean }>(CHANGE_TASK, values);
      if (row === undefined) return null;
      const task = toProjectTask(row);
      if (row.renamed) await appendEvents(tx, [projectTaskEvent('project-task.renamed', task, origin, now)]);
      return task;
    });
  }

  async deleteTask(actor: Actor, taskId: string, origin: ChangeOrigin, now: Date): Promise<ProjectTask | null> {
    return this.sessions.run(actor, async (tx) => {
      const [row] = await tx.query<ProjectTaskRow>(DELETE_TASK, [tenantOf(actor), taskId, now]);
      if (row === undefined) {
        const [known] = await tx.query<ProjectTaskRow>(FIND_TASK, [tenantOf(actor), taskId]);
        return known === undefined ? null : toProjectTask(known);
      }
      await tx.query(FREE_EVIDENCE, [taskId, now]);
      const task = toProjectTask(row);
      await appendEvents(tx, [projectTaskEvent('project-task.deleted', task, origin, now)]);
      return task;
    });
  }

  linkTaskFolder(actor: Actor, taskId: string, driveFolderId: string | null): Promise<boolean> {
    return this.link(actor, LINK_TASK, taskId, driveFolderId);
  }

  private async change(
    actor: Actor,
    projectId: string,
    statement: string,
    values: readonly unknown[],
    type: 'project.renamed' | 'project.archived',
    origin: ChangeOrigin,
    now: Date,
  ): Promise<Project | null> {
    return this.sessions.run(actor, async (tx) => {
      const [row] = await tx.query<ProjectRow>(statement, [tenantOf(actor), projectId, ...values]);
      if (row === undefined) {
        const [known] = await tx.query<ProjectRow>(FIND, [tenantOf(actor), projectId]);
        return known === undefined ? null : toProject(known);
      }
      const project = toProject(row);
      await appendEvents(tx, [projectEvent(type, project, origin, now)]);
      return project;
    });
  }

  private async link(actor: Actor, statement: string, id: string, driveFolderId: string | null): Promise<boolean> {
    try {
      const linked = await this.sessions.run(actor, (tx) => tx.query(statement, [tenantOf(actor), id, driveFolderId]));
      return linked.length > 0;
    } catch (error) {
      if (constraintOf(error)?.endsWith('_drive_folder')) throw new DriveFolderTakenError(driveFolderId ?? '');
      throw error;
    }
  }
}

function tenantOf(actor: Actor): number | null {
  return actor.type === 'user' ? actor.tenantId : null;
}
