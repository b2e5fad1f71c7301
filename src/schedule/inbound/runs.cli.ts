// Inbound. `horarium runs`, `horarium task runs`, `horarium run show|cancel`: what happened last night?
import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { Injectable } from '@nestjs/common';
import { ApiCommand, asFarAsAsked, howMany, ListCommand, type ListOptions } from '../../platform/cli/api-command';
import type { Query } from '../../platform/cli/api-client';
import { ServerRefusedError, UsageError } from '../../platform/cli/api-errors';
import { isDuration, parseDuration } from '../../platform/cli/duration';
import type { JsonOption } from '../../platform/protocol/cli-output';
import { wireTime } from '../../platform/protocol/wire-time';
import { parseMoment } from '../domain/moment';
import { timeZone } from '../domain/time-zone';
import type { RunResponse } from './run.response';
import { type AgentRun, runSheet, runTable } from './run-sheet';
import { taskPath } from './task-sheet';
import type { TaskResponse } from './task.response';

const RUNS = '/api/scheduled-task-runs';

interface RunsOptions extends ListOptions {
  since?: string;
  until?: string;
  status?: string;
  trigger?: string;
}

@Injectable()
abstract class RunsListCommand extends ListCommand {
  @Option({ flags: '--since <when>', description: 'planned at or after: 12h ago, or 2027-03-01T20:00' })
  since(value: string): string {
    return value;
  }

  @Option({ flags: '--until <when>', description: 'planned before' })
  until(value: string): string {
    return value;
  }

  @Option({
    flags: '--status <status>',
    description: 'waiting, queued, running, success, failed, interrupted or skipped',
  })
  status(value: string): string {
    return value;
  }

  @Option({ flags: '--trigger <trigger>', description: 'scheduled or manual' })
  trigger(value: string): string {
    return value;
  }

  protected filter({ since, until, status, trigger }: RunsOptions): Query {
    return { since: this.moment('--since', since), until: this.moment('--until', until), status, trigger };
  }

  /** A length of time is counted back from now; a moment without an offset is on this person's wall clock. */
  private moment(option: string, text: string | undefined): string | undefined {
    if (text === undefined) return undefined;
    if (isDuration(text)) return wireTime(new Date(this.clock.now().getTime() - parseDuration(option, text) * 1_000));
    try {
      return wireTime(parseMoment(text, timeZone(this.home.name)));
    } catch (error) {
      throw new UsageError(`${option}: ${(error as Error).message} Or how long ago: 12h.`);
    }
  }
}

@SubCommand({ name: 'runs', arguments: '<id>', description: 'the runs of a task, newest first' })
export class TaskRunsCommand extends RunsListCommand {
  async run([id = '']: string[], options: RunsOptions): Promise<void> {
    await this.output.run(
      options,
      async () => this.api.list<RunResponse>(taskPath(id, 'runs'), this.filter(options), howMany(options)),
      (listing) => asFarAsAsked(listing, runTable(listing.items, this.home.name)),
      ({ items }) => items,
    );
  }
}

interface AllRunsOptions extends RunsOptions {
  task?: string;
}

@Command({ name: 'runs', description: 'what happened? the runs of all your tasks, newest first' })
export class RunsCommand extends RunsListCommand {
  async run(_: string[], options: AllRunsOptions): Promise<void> {
    await this.output.run(
      options,
      async () => {
        const query = { ...this.filter(options), task_id: options.task };
        const listing = await this.api.list<RunResponse>(RUNS, query, howMany(options));
        return { ...listing, titles: options.json === true ? NO_TITLES : await this.titles(listing.items) };
      },
      (listing) => asFarAsAsked(listing, runTable(listing.items, this.home.name, listing.titles)),
      ({ items }) => items,
    );
  }

  @Option({ flags: '--task <id>', description: 'of this task only' })
  task(value: string): string {
    return value;
  }

  /** By one question for all of them; what is older than the newest tasks, or deleted, stays nameless. */
  private async titles(runs: readonly RunResponse[]): Promise<ReadonlyMap<string, string>> {
    if (runs.length === 0) return NO_TITLES;
    const { items } = await this.api.list<TaskResponse>('/api/scheduled-tasks', {}, 200);
    return new Map(items.map(({ id, title }) => [id, title]));
  }
}

const NO_TITLES: ReadonlyMap<string, string> = new Map();

@SubCommand({ name: 'show', arguments: '<run-id>', description: 'one run, and what its agent said' })
export class RunShowCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      async () => {
        const run = await this.api.get<RunResponse>(`${RUNS}/${encodeURIComponent(id)}`);
        return { ...run, agent_run: run.run_id === null ? null : await this.agentRun(run.run_id) };
      },
      ({ agent_run: agentRun, ...run }) => runSheet(run, agentRun, this.home.name),
    );
  }

  /** Null: it is kept no longer. */
  private async agentRun(id: string): Promise<AgentRun | null> {
    try {
      return await this.api.get<AgentRun>(`/api/agent-runs/${encodeURIComponent(id)}`);
    } catch (error) {
      if (error instanceof ServerRefusedError && error.kind === 'not-found') return null;
      throw error;
    }
  }
}

@SubCommand({ name: 'cancel', arguments: '<run-id>', description: 'end a run that is under way' })
export class RunCancelCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      async () => {
        const run = await this.api.get<RunResponse>(`${RUNS}/${encodeURIComponent(id)}`);
        if (run.run_id === null) throw new UsageError(`Run ${id} has no agent at work (${run.status}).`);
        return this.api.post<AgentRun>(`/api/agent-runs/${encodeURIComponent(run.run_id)}/cancel`);
      },
      ({ status }) => (status === 'interrupted' ? `${id} has ended` : `${id} is asked to end (${status})`),
    );
  }
}

export const RUN_COMMANDS = [RunShowCommand, RunCancelCommand];

@Command({ name: 'run', description: 'one run', subCommands: RUN_COMMANDS })
export class RunCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.resolve(this.command.help());
  }
}
