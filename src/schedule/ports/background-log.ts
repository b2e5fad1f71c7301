// Port. Where work that nobody waits for says what went wrong.
import { token } from '../../kernel/token';

export interface BackgroundLog {
  warn(message: string, cause?: unknown): void;
  error(message: string, cause?: unknown): void;
}

export const BackgroundLog = token<BackgroundLog>('ScheduleBackgroundLog');
