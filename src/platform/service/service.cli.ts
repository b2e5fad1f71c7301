// Platform, service. `horarium service install|status|remove`.
import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { CliOutput, type JsonOption } from '../protocol/cli-output';
import { type Installed, type Removed, ServiceInstallation, type ServiceStatus } from './service-installation';

@SubCommand({ name: 'install', description: 'write the service file of this machine and print how to start it' })
export class ServiceInstallCommand extends CommandRunner {
  constructor(
    private readonly installation: ServiceInstallation,
    private readonly output: CliOutput,
  ) {
    super();
  }

  async run(_: string[], options: JsonOption & { print?: boolean }): Promise<void> {
    if (options.print !== true) return this.output.run(options, () => this.installation.install(), installed);
    await this.output.run(
      options,
      () => Promise.resolve().then(() => this.installation.definition()),
      ({ text }) => text.trimEnd(),
      ({ kind, file, text }) => ({ kind, file, text }),
    );
  }

  @Option({ flags: '--print', description: 'show the file instead of writing it' })
  print(): boolean {
    return true;
  }

  @Option({ flags: '--json', description: 'print JSON' })
  json(): boolean {
    return true;
  }
}

@SubCommand({ name: 'status', description: 'whether the service is set up, and what its system says of it' })
export class ServiceStatusCommand extends CommandRunner {
  constructor(
    private readonly installation: ServiceInstallation,
    private readonly output: CliOutput,
  ) {
    super();
  }

  async run(_: string[], options: JsonOption): Promise<void> {
    await this.output.run(options, () => this.installation.status(), status);
  }

  @Option({ flags: '--json', description: 'print JSON' })
  json(): boolean {
    return true;
  }
}

@SubCommand({ name: 'remove', description: 'stop the service and delete its file; settings and data stay' })
export class ServiceRemoveCommand extends CommandRunner {
  constructor(
    private readonly installation: ServiceInstallation,
    private readonly output: CliOutput,
  ) {
    super();
  }

  async run(_: string[], options: JsonOption): Promise<void> {
    await this.output.run(options, () => this.installation.remove(), removed);
  }

  @Option({ flags: '--json', description: 'print JSON' })
  json(): boolean {
    return true;
  }
}

@Command({
  name: 'service',
  description: 'keep Horarium running: systemd or launchd',
  subCommands: [ServiceInstallCommand, ServiceStatusCommand, ServiceRemoveCommand],
})
export class ServiceCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.resolve(this.command.help());
  }
}

function installed({ kind, file, settings_file, next, log, missing }: Installed): string {
  return [
    `${kind} written: ${file}`,
    `settings go into:  ${settings_file}`,
    ...(missing === null ? [] : ['', `missing: ${missing}`]),
    '',
    'Now start it:',
    ...next.map((command) => `  ${command}`),
    'and read its log:',
    `  ${log}`,
  ].join('\n');
}

function status({ kind, file, installed, outdated, state, missing, log }: ServiceStatus): string {
  return [
    `${kind}: ${installed ? file : `not installed (${file})`}`,
    `state: ${state}`,
    ...(outdated ? ['the file is not what this version would write: run `horarium service install` again'] : []),
    ...(missing === null ? [] : [`missing: ${missing}`]),
    ...(installed ? [`log: ${log}`] : []),
  ].join('\n');
}

function removed({ file, removed, problems, kept }: Removed): string {
  return [
    removed ? `removed: ${file}` : `not installed: ${file}`,
    ...problems.map((problem) => `could not be done: ${problem}`),
    ...(kept.length === 0 ? [] : [`kept: ${kept.join(', ')}`]),
  ].join('\n');
}
