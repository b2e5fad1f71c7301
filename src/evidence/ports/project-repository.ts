// Port. Projects and their tasks. Every change and its event are stored together, or not at all.
import type { Actor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { ChangeOrigin } from '../domain/evidence';
import type { PageRequest, ProjectFilter } from '../domain/listing';
import type { Project, ProjectTask } from '../domain/project';

export interface ProjectRepository {
  add(actor: Actor, project: Project, origin: ChangeOrigin): Promise<void>;

  /** Null: absent, or of another tenant. Archived ones are found. */
  find(actor: Actor, projectId: string): Promise<Project | null>;

  /** Of the actor's tenant (the system: of all), newest first. */
  list(actor: Actor, filter: ProjectFilter, page: PageRequest): Promise<Project[]>;

  /** The changed project; the same name again changes nothing and tells nobody. Null: absent. */
  rename(actor: Actor, projectId: string, name: string, origin: ChangeOrigin, now: Date): Promise<Project | null>;

  /** Once: again changes nothing. Null: absent. */
  archive(actor: Actor, projectId: string, origin: ChangeOrigin, now: Date): Promise<Project | null>;

  /** Null takes the link away. Throws DriveFolderTakenError. Tells nobody. */
  linkFolder(actor: Actor, projectId: string, driveFolderId: string | null): Promise<boolean>;

  addTask(actor: Actor, task: ProjectTask, origin: ChangeOrigin): Promise<void>;

  /** Null: absent, or of another tenant. Deleted ones are found. */
  findTask(actor: Actor, taskId: string): Promise<ProjectTask | null>;

  /** Of a project, in the order in which they were made; without the deleted ones. */
  tasks(actor: Actor, projectId: string): Promise<ProjectTask[]>;

  /** What is absent stays. Null: absent or deleted. */
  changeTask(
    actor: Actor,
    taskId: string,
    change: { readonly name?: string; readonly controlFamily?: string | null },
    origin: ChangeOrigin,
    now: Date,
  ): Promise<ProjectTask | null>;

  /** Softly, once. Its evidence stays with the project, and with no task. Null: absent. */
  deleteTask(actor: Actor, taskId: string, origin: ChangeOrigin, now: Date): Promise<ProjectTask | null>;

  /** As linkFolder. */
  linkTaskFolder(actor: Actor, taskId: string, driveFolderId: string | null): Promise<boolean>;
}

export const ProjectRepository = token<ProjectRepository>('ProjectRepository');
