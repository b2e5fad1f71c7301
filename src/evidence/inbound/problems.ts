// Inbound. Refusals that several operations share, for the OpenAPI document.
import type { ProblemExample } from '../../platform/protocol/api-problems';

export const PROJECT_NOT_FOUND: ProblemExample = {
  status: 404,
  code: 'evidence.project-not-found',
  detail: 'There is no project "project-0192f0c4". List the projects to see their ids.',
};

export const ARCHIVED: ProblemExample = {
  status: 409,
  code: 'evidence.project-archived',
  detail: 'Project project-… is archived: it can be read, and nothing can be added to it.',
};

export const PROJECT_TASK_NOT_FOUND: ProblemExample = {
  status: 404,
  code: 'evidence.project-task-not-found',
  detail: 'There is no task "project-task-0192f0c4" in this project.',
};

export const EVIDENCE_NOT_FOUND: ProblemExample = {
  status: 404,
  code: 'evidence.not-found',
  detail: 'There is no evidence "evidence-0192f0c4".',
};

export const DELETED: ProblemExample = {
  status: 409,
  code: 'evidence.deleted',
  detail: 'Evidence evidence-… is deleted. Restore it first.',
};

export const TOO_LARGE: ProblemExample = {
  status: 413,
  code: 'evidence.file-too-large',
  detail: 'The file is larger than the limit of 100 MiB.',
  field: 'file',
};

export const STORE_AWAY: ProblemExample = {
  status: 503,
  code: 'evidence.store-unavailable',
  detail: 'The store of files cannot be reached at the moment: no answer',
};
