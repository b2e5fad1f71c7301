// Outbound. The tasks that runs belong to: their rows locked, and read.
import { TASK_COLUMNS } from './task.row';

// The tasks' rows first, in the order of ids, as whoever records an event does: the two must not wait in a circle.
export const LOCK_TASKS_OF = `
  select s.task_id
    from scheduled_task_states s
   where s.task_id in (select r.task_id from scheduled_task_runs r where r.id = any ($1))
   order by s.task_id
     for update`;

/** $1: ids of tasks. */
export const TASKS_OF = `
  select ${TASK_COLUMNS}
    from scheduled_task_states s join scheduled_tasks t on t.id = s.task_id
   where s.task_id = any ($1)`;
