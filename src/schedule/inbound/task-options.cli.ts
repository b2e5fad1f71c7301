// Inbound. The options that describe a task, for adding and for changing one.
import { Injectable } from '@nestjs/common';
import { Option } from 'nest-commander';
import { ApiCommand } from '../../platform/cli/api-command';
import { UsageError } from '../../platform/cli/api-errors';
import { parseDuration } from '../../platform/cli/duration';
import type { JsonOption } from '../../platform/protocol/cli-output';

export interface TaskOptions extends JsonOption {
  title?: string;
  cron?: string;
  in?: string;
  at?: string;
  timezone?: string;
  assistant?: string;
  thread?: string;
  workingFolder?: string;
  misfireGrace?: string;
  overlap?: string;
  queueTimeout?: string;
}

@Injectable()
export abstract class TaskOptionsCommand extends ApiCommand {
  @Option({ flags: '--title <text>', description: 'what it is called in lists' })
  title(value: string): string {
    return value;
  }

  @Option({ flags: '--cron <expression>', description: 'again and again: five fields, such as "0 9 * * 1-5"' })
  cron(value: string): string {
    return value;
  }

  @Option({ flags: '--in <time>', description: 'once, after this long: 10m, 2h, 1d' })
  in(value: string): string {
    return value;
  }

  @Option({ flags: '--at <moment>', description: 'once, at a moment: 2027-03-01T09:00' })
  at(value: string): string {
    return value;
  }

  @Option({ flags: '--timezone <zone>', description: 'whose wall clock decides, such as Europe/Berlin' })
  timezone(value: string): string {
    return value;
  }

  @Option({ flags: '--assistant <id>', description: 'who does it (horarium assistant list)' })
  assistant(value: string): string {
    return value;
  }

  @Option({ flags: '--thread <id>', description: 'go on with this conversation at each run' })
  thread(value: string): string {
    return value;
  }

  @Option({
    flags: '--working-folder <path>',
    description: 'a folder to work in, inside the roots the operator allows',
  })
  workingFolder(value: string): string {
    return value;
  }

  @Option({
    flags: '--misfire-grace <time>',
    description: 'skip a run that would start later than this: 5m, 1h; 0: never',
  })
  misfireGrace(value: string): string {
    return value;
  }

  @Option({ flags: '--overlap <policy>', description: 'while its last run or its conversation is busy: skip or queue' })
  overlap(value: string): string {
    return value;
  }

  @Option({ flags: '--queue-timeout <time>', description: 'give up a run that has waited longer: 10m, 2h' })
  queueTimeout(value: string): string {
    return value;
  }
}

/** What of it goes onto the wire, in the names of the wire. The rules themselves are the server's. */
export function taskFields(options: TaskOptions): Record<string, unknown> {
  const { title, timezone, assistant, thread, workingFolder, misfireGrace, overlap, queueTimeout } = options;
  const schedule = scheduleOf(options);
  return {
    ...(title === undefined ? {} : { title }),
    ...(schedule === undefined ? {} : { schedule_type: schedule.type, schedule_spec: schedule.spec }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(assistant === undefined ? {} : { assistant_id: assistant }),
    ...(thread === undefined ? {} : { context_mode: 'reuse_thread', thread_id: thread }),
    ...(workingFolder === undefined ? {} : { working_folder: workingFolder }),
    ...(misfireGrace === undefined ? {} : { misfire_grace_seconds: graceOf(misfireGrace) }),
    ...(overlap === undefined ? {} : { overlap_policy: overlap }),
    ...(queueTimeout === undefined ? {} : { queue_timeout_seconds: parseDuration('--queue-timeout', queueTimeout) }),
  };
}

/** Of --cron, --in and --at at most one. @throws UsageError */
export function scheduleOf({ cron, in: delay, at }: TaskOptions) {
  if ([cron, delay, at].filter((given) => given !== undefined).length > 1) {
    throw new UsageError('--cron, --in and --at exclude each other.');
  }
  if (cron !== undefined) return { type: 'cron', spec: { cron } };
  if (at !== undefined) return { type: 'once', spec: { run_at: at } };
  return delay === undefined ? undefined : { type: 'once', spec: { delay_seconds: parseDuration('--in', delay) } };
}

function graceOf(text: string): number {
  return text === '0' ? 0 : parseDuration('--misfire-grace', text);
}
