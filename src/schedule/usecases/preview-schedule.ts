// What a schedule means, before it is submitted: the instants, and what may surprise. Refuses what would be refused.
import { previewSchedule, type SchedulePreview } from '../domain/preview';
import { parseScheduleSpec, type ScheduleSpec } from '../domain/schedule-spec';

export interface PreviewInput {
  readonly cron?: string;
  readonly runAt?: string;
  readonly timezone: string;
  /** Runs strictly after it; absent: after now. */
  readonly after?: Date;
  readonly count: number;
}

export interface Preview extends SchedulePreview {
  readonly spec: ScheduleSpec;
}

export class PreviewSchedule {
  run({ cron, runAt, timezone, after, count }: PreviewInput, now: Date): Preview {
    const spec =
      cron === undefined
        ? parseScheduleSpec('once', { run_at: runAt }, timezone, now)
        : parseScheduleSpec('cron', { cron }, timezone, now);
    return { spec, ...previewSchedule(spec, after ?? now, count) };
  }
}
