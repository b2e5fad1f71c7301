// Evidence: projects, the controls to be evidenced in them, and the evidence, a file each. The front door.
export { EvidenceModule } from './evidence.module';
export {
  ContentMissingError,
  DriveFileTakenError,
  DriveFolderTakenError,
  EvidenceDeletedError,
  EvidenceNotFoundError,
  FileTooLargeError,
  ProjectArchivedError,
  ProjectNotFoundError,
  ProjectTaskNotFoundError,
} from './domain/errors';
export type { ChangeOrigin, Evidence, EvidenceSource, EvidenceStatus, ReviewDecision } from './domain/evidence';
export { safeFileName } from './domain/file-name';
export type { EvidenceFilter, PageRequest } from './domain/listing';
export type { Project, ProjectTask } from './domain/project';
export { AddEvidence, type AddEvidenceInput } from './usecases/add-evidence';
export { CreateProject } from './usecases/create-project';
export { EditProjectTasks } from './usecases/edit-project-tasks';
export { EditProjects } from './usecases/edit-projects';
export { LinkDrive } from './usecases/link-drive';
export { ReadEvidence } from './usecases/read-evidence';
export { ReadProjects } from './usecases/read-projects';
export { ReplaceEvidenceContent } from './usecases/replace-evidence-content';
export { RestoreEvidence } from './usecases/restore-evidence';
export { ReviewEvidence } from './usecases/review-evidence';
export { SoftDeleteEvidence } from './usecases/soft-delete-evidence';
export { UpdateEvidence } from './usecases/update-evidence';
