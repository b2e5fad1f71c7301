// Inbound. `horarium survey …`: surveys on the command line, as a client of the server.
import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { readFile } from 'node:fs/promises';
import { ApiCommand, asFarAsAsked, howMany, ListCommand, type ListOptions } from '../../platform/cli/api-command';
import { UsageError } from '../../platform/cli/api-errors';
import { CliInput } from '../../platform/cli/cli-input';
import { inOneLine, localTime, sheet, visible } from '../../platform/cli/for-people';
import { columns, type JsonOption } from '../../platform/protocol/cli-output';
import type { AnswerResponse, AnswerVersionResponse, UnlockedResponse } from './answer.response';
import type {
  SurveyDeletedResponse,
  SurveyDetailResponse,
  SurveyExportResponse,
  SurveyResponse,
} from './survey.response';

const SURVEYS = '/api/1.0/surveys';
const pathOf = (id: string, ...more: string[]): string => [SURVEYS, ...[id, ...more].map(encodeURIComponent)].join('/');

@SubCommand({
  name: 'create',
  arguments: '<file>',
  argsDescription: { file: 'JSON, as POST /api/1.0/surveys takes it; - reads it from standard input' },
  description: 'draw one up',
})
export class SurveyCreateCommand extends ApiCommand {
  async run([file = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      async () => this.api.post<SurveyResponse>(SURVEYS, await definition(file)),
      ({ id }) => `created ${id}\n${this.api.url}/surveys/${id}`,
    );
  }
}

interface SurveyListOptions extends ListOptions {
  status?: string;
  search?: string;
}

@SubCommand({ name: 'list', description: 'those that you may fill, newest first' })
export class SurveyListCommand extends ListCommand {
  async run(_: string[], options: SurveyListOptions): Promise<void> {
    const query = { status: options.status, q: options.search };
    await this.output.run(
      options,
      async () => this.api.list<SurveyResponse>(SURVEYS, query, howMany(options)),
      (listing) => asFarAsAsked(listing, this.table(listing.items)),
      ({ items }) => items,
    );
  }

  @Option({ flags: '--status <status>', description: 'open or closed' })
  status(value: string): string {
    return value;
  }

  @Option({ flags: '--search <text>', description: 'found in the title' })
  search(value: string): string {
    return value;
  }

  private table(surveys: readonly SurveyResponse[]): string {
    if (surveys.length === 0) return 'no surveys';
    return columns(
      ['id', 'title', 'status', 'fields', 'owner', 'created'],
      surveys.map(({ id, title, status, fields, owner, created_at: created }) => {
        return [id, inOneLine(title, 40), status, String(fields.length), inOneLine(owner, 30), this.localTime(created)];
      }),
    );
  }

  private localTime(moment: string): string {
    return localTime(moment, this.home.name);
  }
}

@SubCommand({ name: 'show', arguments: '<id>', description: 'its answers, and who is at which field' })
export class SurveyShowCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.api.get<SurveyDetailResponse>(pathOf(id)),
      (survey) => surveySheet(survey),
    );
  }
}

interface AnswerOptions extends JsonOption {
  over?: boolean;
}

@SubCommand({
  name: 'answer',
  arguments: '<id> <field> <value>',
  argsDescription: { value: 'as the field’s type wants it; "" takes an answer back' },
  description: 'answer one field',
})
export class SurveyAnswerCommand extends ApiCommand {
  async run([id = '', key = '', word = '']: string[], options: AnswerOptions): Promise<void> {
    await this.output.run(
      options,
      async () => {
        const { fields, answers } = await this.api.get<SurveyDetailResponse>(pathOf(id));
        const type = fields.find((field) => field.key === key)?.type ?? 'text';
        const seen = answers.find(({ field_key: field }) => field === key)?.version ?? 0;
        const body = { value: typed(type, word), base_version: options.over === true ? null : seen };
        return this.api.put<AnswerResponse>(pathOf(id, 'answers', key), body);
      },
      ({ field_key: field, version }) => `${field} is at version ${version}`,
    );
  }

  @Option({ flags: '--over', description: 'whatever is there by then (its owner and managers)' })
  over(): boolean {
    return true;
  }
}

interface ExportOptions extends JsonOption {
  csv?: boolean;
}

@SubCommand({ name: 'export', arguments: '<id>', description: 'all answers as JSON, or with --csv as a table' })
export class SurveyExportCommand extends ApiCommand {
  async run([id = '']: string[], { csv = false }: ExportOptions): Promise<void> {
    const path = `${pathOf(id, 'export')}?format=${csv ? 'csv' : 'json'}`;
    await this.output.run(
      {},
      () => this.api.get<SurveyExportResponse | string>(path),
      (answer) => (typeof answer === 'string' ? answer.trimEnd() : JSON.stringify(answer)),
    );
  }

  @Option({ flags: '--csv', description: 'comma-separated values' })
  csv(): boolean {
    return true;
  }
}

interface HistoryOptions extends ListOptions {
  field?: string;
}

@SubCommand({ name: 'history', arguments: '<id>', description: 'who answered what, newest first' })
export class SurveyHistoryCommand extends ListCommand {
  async run([id = '']: string[], options: HistoryOptions): Promise<void> {
    const query = { field_key: options.field };
    await this.output.run(
      options,
      async () => this.api.list<AnswerVersionResponse>(pathOf(id, 'history'), query, howMany(options)),
      (listing) => asFarAsAsked(listing, this.table(listing.items)),
      ({ items }) => items,
    );
  }

  @Option({ flags: '--field <key>', description: 'of this field only' })
  field(value: string): string {
    return value;
  }

  private table(history: readonly AnswerVersionResponse[]): string {
    if (history.length === 0) return 'nothing was answered yet';
    return columns(
      ['when', 'field', 'version', 'who', 'from', 'to'],
      history.map((one) => [
        localTime(one.updated_at, this.home.name),
        one.field_key,
        String(one.version),
        inOneLine(one.updated_by, 30),
        inOneLine(shown(one.old_value), 40),
        inOneLine(shown(one.value), 40),
      ]),
    );
  }
}

@SubCommand({ name: 'unlock', arguments: '<id> <field>', description: 'take a field from whoever is editing it' })
export class SurveyUnlockCommand extends ApiCommand {
  async run([id = '', key = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.api.delete<UnlockedResponse>(pathOf(id, 'locks', key)),
      ({ unlocked, user }) => (unlocked ? `taken from ${inOneLine(user ?? '', 60)}` : 'nobody was editing it'),
    );
  }
}

@SubCommand({ name: 'close', arguments: '<id>', description: 'its answers can then only be read' })
export class SurveyCloseCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.api.patch<SurveyResponse>(pathOf(id), { status: 'closed' }),
      (survey) => `${survey.id} is ${survey.status}`,
    );
  }
}

@SubCommand({ name: 'reopen', arguments: '<id>', description: 'go on with a closed one' })
export class SurveyReopenCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.api.patch<SurveyResponse>(pathOf(id), { status: 'open' }),
      (survey) => `${survey.id} is ${survey.status}`,
    );
  }
}

@SubCommand({ name: 'delete', arguments: '<id>', description: 'gone, with its answers' })
export class SurveyDeleteCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.api.delete<SurveyDeletedResponse>(pathOf(id)),
      (deleted) => `deleted ${deleted.id}`,
    );
  }
}

export const SURVEY_COMMANDS = [
  SurveyCreateCommand,
  SurveyListCommand,
  SurveyShowCommand,
  SurveyAnswerCommand,
  SurveyHistoryCommand,
  SurveyExportCommand,
  SurveyUnlockCommand,
  SurveyCloseCommand,
  SurveyReopenCommand,
  SurveyDeleteCommand,
];

@Command({ name: 'survey', description: 'surveys that many fill at once', subCommands: SURVEY_COMMANDS })
export class SurveyCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.resolve(this.command.help());
  }
}

async function definition(file: string): Promise<object> {
  let text: string;
  try {
    text = file === '-' ? await new CliInput().all() : await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  } catch {
    // Said below.
  }
  throw new UsageError(`${file === '-' ? 'Standard input' : file} holds no JSON object.`);
}

/** What was typed, as the field's type wants it; what does not fit is sent as it is, and refused with the reason. */
function typed(type: string, word: string): unknown {
  if (word === '') return null;
  if (type === 'number') return Number.isNaN(Number(word)) ? word : Number(word);
  if (type !== 'file') return word;
  const [fileId, ...name] = word.split(':');
  return { file_id: fileId, name: name.join(':') || fileId };
}

function surveySheet({
  id,
  title,
  status,
  owner,
  members,
  audience,
  fields,
  answers,
  locks,
  missing,
}: SurveyDetailResponse): string {
  const given = new Map(answers.map((answer) => [answer.field_key, answer]));
  const editing = new Map(locks.map((lock) => [lock.field_key, lock.user]));
  const who = audience === 'tenant' ? 'everyone of the tenant' : members.join(', ') || 'nobody but the owner';
  const head = sheet([
    ['id', id],
    ['title', visible(title)],
    ['status', status],
    ['owner', visible(owner)],
    ['filled by', visible(who)],
    ['missing', missing.join(', ') || '-'],
  ]);
  const table = columns(
    ['field', 'type', 'answer', 'version', 'by', 'being edited by'],
    fields.map(({ key, type }) => {
      const answer = given.get(key);
      const by = answer === undefined ? '-' : inOneLine(answer.updated_by, 30);
      const value = inOneLine(shown(answer?.value ?? null), 50);
      return [key, type, value, String(answer?.version ?? 0), by, inOneLine(editing.get(key) ?? '-', 30)];
    }),
  );
  return `${head}\n\n${table}`;
}

function shown(value: AnswerResponse['value']): string {
  if (value === null) return '-';
  return typeof value === 'object' ? `${value.name} (${value.file_id})` : String(value);
}
