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
  readonly commands: readonly string[];
  /** Works on the database itself. */
  readonly database?: true;
  load(): Type;
}

/* eslint-disable @typescript-eslint/no-require-imports -- loaded on demand */
const DOORS: readonly Door[] = [
  {
    commands: ['task', 'runs', 'run', 'cron'],
    load: () =>
      (require('./schedule/schedule-cli.module') as typeof import('./schedule/schedule-cli.module')).ScheduleCliModule,
  },
  {
    commands: ['timetable'],
    load: () =>
      (require('./scheduler/timetable-cli.module') as typeof import('./scheduler/timetable-cli.module'))
        .TimetableCliModule,
  },
  {
    commands: ['doctor'],
    load: () =>
      (require('./platform/cli/doctor-cli.module') as typeof import('./platform/cli/doctor-cli.module'))
        .DoctorCliModule,
  },
  {
    commands: ['tenant', 'token', 'api-key'],
    database: true,
    load: () =>
      (require('./platform/auth/auth-cli.module') as typeof import('./platform/auth/auth-cli.module')).AuthCliModule,
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
}

/** Runs one command. Never rejects: how it ended is its exit code. */
export async function runCli(argv: readonly string[], surroundings: Partial<CliSurroundings> = {}): Promise<void> {
  const { env = process.env, terminal = PROCESS } = surroundings;
  const output = new CliOutput(terminal);
  const json = { json: argv.includes('--json') };
  try {
    const settings = loadConfig(env, { machineTimezone: Intl.DateTimeFormat().resolvedOptions().timeZone });
    for (const warning of unknownSettings(env)) output.note(`warning: ${warning}`);
    await runCommand(argv.length === 0 ? ['--help'] : argv, settings, output, json);
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
  const tree = new CommandTree(output);
  const app = await CommandFactory.createWithoutRunning(commandModule(argv, settings, output), {
    logger: false,
    abortOnError: false,
    version: version(),
    serviceErrorHandler: (ending) => {
      const refusal = tree.refusal(ending);
      if (refusal !== undefined) output.refuse(refusal, json);
    },
  });
  try {
    tree.govern(app.get(CliCommands).root, 'horarium');
    await app.get(CommandRunnerService).run(['node', 'horarium', ...argv]);
  } finally {
    await app.close();
  }
}

function commandModule(argv: readonly string[], settings: Config, output: CliOutput): DynamicModule {
  const doors = doorsFor(argv);
  const { config, connect } = doors.some(({ database }) => database) ? attachment(settings) : { config: settings };
  return {
    module: class CliModule {},
    imports: [
      CliGroundModule.with(config, output),
      ...(connect === undefined ? [] : [CliDatabaseModule.on(connect)]),
      ...doors.map((door) => door.load()),
    ],
    providers: [CliCommands],
  };
}

/** Help, and a word that nobody knows, need them all: to list them, and to name the nearest. */
function doorsFor([first = '']: readonly string[]): readonly Door[] {
  if (first === '--version' || first === '-V') return [];
  const doors = DOORS.filter(({ commands }) => commands.includes(first));
  return doors.length > 0 ? doors : DOORS;
}
