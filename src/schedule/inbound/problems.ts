// Inbound. Refusals that several operations share, for the OpenAPI document.
import type { ProblemExample } from '../../platform/protocol/api-problems';

export const TASK_NOT_FOUND: ProblemExample = {
  status: 404,
  code: 'schedule.task-not-found',
  detail: 'There is no scheduled task "task-0192f0c4". List your tasks to see their ids.',
};

export const DISPATCHING: ProblemExample = {
  status: 409,
  code: 'schedule.task-dispatching',
  detail: 'Task task-… is being started, or its one run is under way. Try again when the run has ended.',
};

export const CORRUPT: ProblemExample = {
  status: 500,
  code: 'schedule.task-corrupt',
  detail: 'The stored task task-… cannot be read. Repair it with a PATCH that carries a whole schedule, or delete it.',
};
