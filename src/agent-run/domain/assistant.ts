// Domain. A named way to execute prompts, configured by the operator. How settings become an assistant is in
// assistant-settings.ts and driver-settings/; where they are read is an adapter's business.
import type { CommandSettings } from './driver-settings/command-settings';
import type { HttpSettings } from './driver-settings/http-settings';
import type { LangGraphSettings } from './driver-settings/langgraph-settings';
import type { PullSettings } from './driver-settings/pull-settings';

/** What each kind of driver needs to know. A new kind is a line here, one in DRIVER_KINDS, and one in assistant-settings. */
export type DriverSettings = CommandSettings | HttpSettings | LangGraphSettings | PullSettings;

export const DRIVER_KINDS = ['command', 'http', 'langgraph', 'pull'] as const;
export type DriverKind = (typeof DRIVER_KINDS)[number];
export type SettingsOf<K extends DriverKind> = Extract<DriverSettings, { kind: K }>;

export interface Assistant {
  readonly id: string;
  readonly title: string;
  /** Where a task may choose its working folder. */
  readonly allowedRoots: readonly string[];
  /** How many of its runs may work at once in one process; null leaves the limit to the schedule's budget. */
  readonly concurrency: number | null;
  readonly timeoutSeconds: number;
  readonly driver: DriverSettings;
}

export interface AssistantSummary {
  readonly id: string;
  readonly title: string;
  readonly driver: DriverKind;
}

export function summaryOf({ id, title, driver }: Assistant): AssistantSummary {
  return { id, title, driver: driver.kind };
}

/** A driver is handed assistants of its own kind only (AssistantDrivers.of): anything else is a fault of the house. */
export function settingsOf<K extends DriverKind>({ id, driver }: Assistant, kind: K): SettingsOf<K> {
  const is: string = driver.kind;
  if (is !== kind) throw new Error(`the assistant "${id}" is for the driver ${is}, not for ${kind}`);
  return driver as SettingsOf<K>;
}
