// Outbound adapter, fills AssistantDirectory from the operator's YAML file: one entry for each assistant, its id as
// the key. The bundled agent is there as `default` until the file says otherwise.
import { readFile } from 'node:fs/promises';
import { isMap, isScalar, LineCounter, parseDocument, type Pair } from 'yaml';
import type { Assistant } from '../domain/assistant';
import { assistantFrom } from '../domain/assistant-settings';
import { InvalidAssistantError, InvalidAssistantsFileError } from '../domain/errors';
import type { AssistantDirectory } from '../ports/assistant-directory';

export interface YamlAssistantsOptions {
  /** Undefined: the built-in default alone. */
  readonly file: string | undefined;
  /** The command of the bundled agent. */
  readonly bundled: readonly [string, ...string[]];
  readonly home: string;
}

export class YamlAssistants implements AssistantDirectory {
  private constructor(
    private readonly options: YamlAssistantsOptions,
    private assistants: ReadonlyMap<string, Assistant>,
  ) {}

  /** Throws InvalidAssistantsFileError with every problem found: file, line, assistant and key. */
  static async read(options: YamlAssistantsOptions): Promise<YamlAssistants> {
    return new YamlAssistants(options, await load(options));
  }

  async reload(): Promise<void> {
    this.assistants = await load(this.options);
  }

  all(): readonly Assistant[] {
    return [...this.assistants.values()];
  }

  find(assistantId: string): Assistant | undefined {
    return this.assistants.get(assistantId);
  }
}

async function load({ file, bundled, home }: YamlAssistantsOptions): Promise<Map<string, Assistant>> {
  const title = 'Sample agent (bundled)';
  const env = ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'OPENAI_MODEL'];
  const assistants = new Map([['default', assistantFrom('default', { title, command: bundled, env }, home)]]);
  if (file === undefined) return assistants;
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new InvalidAssistantsFileError([`${file}: cannot be read (${error.message}); see HORARIUM_ASSISTANTS_FILE.`]);
  });
  for (const assistant of parseAssistants(text, file, home)) assistants.set(assistant.id, assistant);
  return assistants;
}

/** `file` is for messages only. */
export function parseAssistants(text: string, file: string, home: string): Assistant[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number | undefined): string => `${file}:${offset === undefined ? 1 : lines.linePos(offset).line}`;
  const broken = document.errors.map((error) => `${at(error.pos[0])}: ${error.message}`);
  if (broken.length > 0) throw new InvalidAssistantsFileError(broken);
  const entries: unknown = document.contents;
  if (entries === null || (isScalar(entries) && entries.value === null)) return [];
  if (!isMap(entries)) {
    const shape = 'must be a mapping from assistant ids to settings, such as\n  default: { command: [my-agent] }';
    throw new InvalidAssistantsFileError([`${at(0)}: ${shape}`]);
  }
  const values = document.toJS() as Record<string, unknown>;
  const assistants: Assistant[] = [];
  const problems: string[] = [];
  for (const entry of entries.items) {
    const id = keyOf(entry);
    try {
      assistants.push(assistantFrom(id, values[id], home));
    } catch (error) {
      if (!(error instanceof InvalidAssistantError)) throw error;
      problems.push(`${at(offsetOf(entry, error.key))}: ${error.message}`);
    }
  }
  if (problems.length > 0) throw new InvalidAssistantsFileError(problems);
  return assistants;
}

function keyOf(entry: Pair): string {
  return isScalar(entry.key) ? String(entry.key.value) : String(entry.key);
}

/** Where the key stands that is at fault; the assistant's own line when it is missing. */
function offsetOf(entry: Pair, key: string): number | undefined {
  const own = isMap(entry.value) ? entry.value.items.find((pair) => keyOf(pair) === key) : undefined;
  const node = own?.key ?? entry.key;
  return isScalar(node) ? node.range?.[0] : undefined;
}
