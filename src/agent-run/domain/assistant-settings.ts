// Domain. What an operator may write about an assistant, and what it means. Every refusal names the key and what
// would be right. What belongs to one kind of driver is in driver-settings/; reading the file, and naming its lines, is
// an adapter's business.
import { DRIVER_KINDS, type Assistant, type DriverKind, type SettingsOf } from './assistant';
import { COMMAND_KEYS, commandFrom } from './driver-settings/command-settings';
import { HTTP_KEYS, httpFrom } from './driver-settings/http-settings';
import { LANGGRAPH_KEYS, langGraphFrom } from './driver-settings/langgraph-settings';
import { PULL_KEYS, pullFrom } from './driver-settings/pull-settings';
import { InvalidAssistantError } from './errors';
import { Settings } from './settings';

export const DEFAULT_TIMEOUT_SECONDS = 3600;
const WEEK_SECONDS = 7 * 24 * 3600;

/** What may be said of every assistant, whatever its driver. */
const KEYS = ['title', 'driver', 'roots', 'concurrency', 'timeout_seconds'] as const;

interface KindOfDriver<K extends DriverKind> {
  readonly keys: readonly string[];
  from(settings: Settings, home: string): SettingsOf<K>;
}

const KINDS: { readonly [K in DriverKind]: KindOfDriver<K> } = {
  command: { keys: COMMAND_KEYS, from: commandFrom },
  http: { keys: HTTP_KEYS, from: httpFrom },
  langgraph: { keys: LANGGRAPH_KEYS, from: langGraphFrom },
  pull: { keys: PULL_KEYS, from: pullFrom },
};

/** Builds one assistant from what stands under its id. `home` replaces a leading `~` in folders. */
export function assistantFrom(id: string, value: unknown, home: string): Assistant {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id)) {
    throw new InvalidAssistantError(
      id,
      'id',
      'must be 1 to 64 letters, digits, ".", "_" or "-", a letter or digit first',
    );
  }
  const settings = new Settings(id, value);
  const kind = settings.choice('driver', DRIVER_KINDS, 'command');
  settings.mayOnlyHold([...KEYS, ...KINDS[kind].keys]);
  return {
    id,
    title: settings.text('title', 200) ?? id,
    allowedRoots: settings.folders('roots', home),
    concurrency: settings.whole('concurrency', 1, 100_000),
    timeoutSeconds: settings.whole('timeout_seconds', 1, WEEK_SECONDS) ?? DEFAULT_TIMEOUT_SECONDS,
    driver: KINDS[kind].from(settings, home),
  };
}
