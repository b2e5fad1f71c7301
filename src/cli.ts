// Front door: the command line. Commands about tasks, runs and cron ask the server; those about tenants, tokens and keys work
// on the database (docs/adr/0013-command-line.md). Which modules are loaded is decided by the first word: what a
// command does not use it does not wait for.
import 'reflect-metadata';
import type { DynamicModule, Type } from '@nestjs/common';
import { CommandFactory, CommandRunnerService } from 'nest-commander';
import { CliCommands } from './platform/cli/cli-commands';
import { CliDatabaseModule } from './platform/cli/cli-database.module';
import { CliGroundModule } from './platform/cli/cli-ground.module';
import { CommandTree } from './platform/cli/command-tree';
import type { Config } from './platform/config/config';
import { loadConfig } from './platform/config/load-config';
import { unknownSettings } from './platform/config/unknown-settings';
import { CliOutput, PROCESS, type Terminal } from './platform/protocol/cli-output';
import { version } from './platform/version';

interface Door {
  /** What `horarium --help` says of them, without loading them; the same words stand at the commands themselves. */
  readonly commands: Readonly<Record<string, string>>;
  /** Works on the database itself. */
  readonly database?: true;
  load(): Type;
}

/* eslint-disable @typescript-eslint/no-require-imports -- loaded on demand */
export const DOORS: readonly Door[] = [
  {
    commands: {
      task: 'tasks: what is to be done, and when',
      runs: 'what happened? the runs of all your tasks, newest first',
      run: 'one run',
      cron: 'cron expressions',
    },
    load: () =>
      (require('./schedule/schedule-cli.module') as typeof import('./schedule/schedule-cli.module')).ScheduleCliModule,
  },
  {
    commands: { assistant: 'the programs that run prompts' },
    load: () =>
      (require('./agent-run/agent-run-cli.module') as typeof import('./agent-run/agent-run-cli.module'))
        .AgentRunCliModule,
  },
  {
    commands: { survey: 'surveys that many fill at once' },
    load: () =>
      (require('./survey-collaboration/survey-cli.module') as typeof import('./survey-collaboration/survey-cli.module'))
        .SurveyCliModule,
  },
  {
    commands: {
      notifications: 'what you are told of',
      webhooks: 'where programs are told of what happened',
    },
    load: () =>
      (require('./notifications/notifications-cli.module') as typeof import('./notifications/notifications-cli.module'))
        .NotificationsCliModule,
  },
  {
    commands: { 'parse-jobs': 'frameworks that people brought' },
    load: () =>
      (require('./parse-job-cleanup/parse-job-cli.module') as typeof import('./parse-job-cleanup/parse-job-cli.module'))
        .ParseJobCliModule,
  },
  {
    commands: { drive: 'Google Drive: connection and queue' },
    load: () =>
      (require('./drive-sync/drive-sync-cli.module') as typeof import('./drive-sync/drive-sync-cli.module'))
        .DriveSyncCliModule,
  },
  {
    commands: { channels: 'push channels of Google Drive' },
    load: () =>
      (
        require('./webhook-renewal/webhook-renewal-cli.module') as typeof import('./webhook-renewal/webhook-renewal-cli.module')
      ).WebhookRenewalCliModule,
  },
  {
    commands: { timetable: 'what the house does by itself: rhythms, last and next instants' },
    load: () =>
      (require('./scheduler/timetable-cli.module') as typeof import('./scheduler/timetable-cli.module'))
        .TimetableCliModule,
  },
  {
    commands: { instances: 'the processes that work on this database, alive and dead' },
    load: () =>
      (
        require('./platform/instances/instances-cli.module') as typeof import('./platform/instances/instances-cli.module')
      ).InstancesCliModule,
  },
  {
    commands: { doctor: 'is all well? the server, its health, your token' },
    load: () =>
      (require('./platform/cli/doctor-cli.module') as typeof import('./platform/cli/doctor-cli.module'))
        .DoctorCliModule,
  },
  {
    commands: { agents: 'remote agents: who is let in, who is online' },
    load: () =>
      (require('./remote-agent/remote-agent-cli.module') as typeof import('./remote-agent/remote-agent-cli.module'))
        .RemoteAgentCliModule,
  },
  {
    commands: { agent: 'this machine as an agent of a server somewhere else' },
    load: () =>
      (require('./agent-program/agent-program-cli.module') as typeof import('./agent-program/agent-program-cli.module'))
        .AgentProgramCliModule,
  },
  {
    commands: { secrets: 'stored secrets and their keys' },
    load: () =>
      (require('./platform/crypto/secrets-cli.module') as typeof import('./platform/crypto/secrets-cli.module'))
        .SecretsCliModule,
  },
  {
    commands: { tenant: 'tenants', token: 'signed tokens', 'api-key': 'API keys' },
    database: true,
    load: () =>
      (require('./platform/auth/auth-cli.module') as typeof import('./platform/auth/auth-cli.module')).AuthCliModule,
  },
  {
    commands: { service: 'keep Horarium running: systemd or launchd' },
    load: () =>
      (require('./platform/service/service-cli.module') as typeof import('./platform/service/service-cli.module'))
        .ServiceCliModule,
  },
];

function attachment(settings: Config) {
  const { attach } = require('./platform/ground/attach') as typeof import('./platform/ground/attach');
  return attach(settings);
}
/* eslint-enable @typescript-eslint/no-require-imports */

export interface CliSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  readonly program: string;
}

/** Runs one command. Never rejects: how it ended is its exit code. */
export async function runCli(argv: readonly string[], surroundings: Partial<CliSurroundings> = {}): Promise<void> {
  const { env = process.env, terminal = PROCESS, program } = surroundings;
  const output = new CliOutput(terminal, program);
  const json = { json: argv.includes('--json') };
  try {
    const settings = loadConfig(env, { machineTimezone: Intl.DateTimeFormat().resolvedOptions().timeZone });
    for (const warning of unknownSettings(env)) output.note(`warning: ${warning}`);
    await runCommand(asOptions(argv), settings, output, json);
  } catch (error) {
    output.refuse(error, json);
  }
}

async function runCommand(
  argv: readonly string[],
  settings: Config,
  output: CliOutput,
  json: { json: boolean },
): Promise<void> {
  const door = doorFor(argv);
  const tree = new CommandTree(output);
  const app = await CommandFactory.createWithoutRunning(commandModule(door, settings, output), {
    logger: false,
    abortOnError: false,
    version: version(),
    serviceErrorHandler: (ending) => {
      const refusal = tree.refusal(ending);
      if (refusal !== undefined) output.refuse(refusal, json);
    },
  });
  try {
    const { root } = app.get(CliCommands);
    tree.govern(root, 'horarium');
    if (door === undefined) for (const { commands } of DOORS) tree.list(root, commands);
    await app.get(CommandRunnerService).run(['node', 'horarium', ...argv]);
  } finally {
    await app.close();
  }
}

function commandModule(door: Door | undefined, settings: Config, output: CliOutput): DynamicModule {
  const attached = door?.database === true ? attachment(settings) : undefined;
  return {
    module: class CliModule {},
    imports: [
      CliGroundModule.with(attached?.config ?? settings, output),
      ...(attached === undefined ? [] : [CliDatabaseModule.on(() => attached.connect())]),
      ...(door === undefined ? [] : [door.load()]),
    ],
    providers: [CliCommands],
  };
}

/** Undefined: the commands are to be listed, or the nearest to be named. */
function doorFor([word = '']: readonly string[]): Door | undefined {
  return DOORS.find(({ commands }) => Object.hasOwn(commands, word));
}

/** `help task add` is `task add --help`; nothing at all is `--help`. */
function asOptions([first, ...rest]: readonly string[]): readonly string[] {
  if (first === undefined) return ['--help'];
  return first === 'help' ? [...rest, '--help'] : [first, ...rest];
}
