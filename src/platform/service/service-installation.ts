// Platform, service. Writes, examines and removes the service definition of this machine. It starts nothing: what
// starts a service is typed by a person, who sees it.
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder, readIfThere, writeOnce, writeWhole } from '../host/files';
import { launchdPlist } from './launchd-plist';
import type { Ran, ServiceMachine } from './service-machine';
import {
  refuseLineBreaks,
  ServiceNotBuiltError,
  type ServicePlan,
  type ServiceSystem,
  ServiceUnsupportedError,
} from './service-plan';
import { systemdUnit } from './systemd-unit';

export interface ServiceSettings {
  readonly dataFolder: string;
  readonly shutdownDeadlineSeconds: number;
}

export interface Installed {
  readonly kind: ServiceSystem['kind'];
  readonly file: string;
  readonly settings_file: string;
  readonly next: readonly string[];
  readonly log: string;
  /** What is missing on this machine before the next commands can work; null when nothing is. */
  readonly missing: string | null;
}

export interface ServiceStatus {
  readonly kind: ServiceSystem['kind'];
  readonly file: string;
  readonly installed: boolean;
  /** The file is not what `install` would write now: another folder, another Node, another version. */
  readonly outdated: boolean;
  readonly state: string;
  readonly missing: string | null;
  readonly log: string;
}

export interface Removed {
  readonly file: string;
  readonly removed: boolean;
  /** What could not be done; the file is gone all the same. */
  readonly problems: readonly string[];
  /** Left alone: settings and data. */
  readonly kept: readonly string[];
}

const SETTINGS_HEAD = '# Settings of the Horarium service, one NAME=value a line. All of them: docs/configuration.md\n';
/** Beyond the server's own deadline: stopping the embedded database, and the ten seconds of grace of an agent. */
const GRACE_SECONDS = 30;

export class ServiceInstallation {
  constructor(
    private readonly machine: ServiceMachine,
    private readonly settings: ServiceSettings,
  ) {}

  /** The definition as `install` would write it. */
  definition(): ServiceSystem {
    const plan = this.plan();
    refuseLineBreaks(plan);
    const { platform, uid, user, configFolder, home } = this.machine;
    if (platform === 'linux') return systemdUnit(plan, { root: uid === 0, user, configFolder });
    if (platform === 'darwin') return launchdPlist(plan, { root: uid === 0, uid, home });
    throw new ServiceUnsupportedError(
      `Services are set up for systemd (Linux) and launchd (macOS); this is ${platform}. ` +
        'Use a container, or have your own supervisor run `node dist/main.js`.',
    );
  }

  async install(): Promise<Installed> {
    const definition = this.definition();
    const { project } = this.machine;
    if (!existsSync(join(project, 'dist', 'main.js'))) {
      throw new ServiceNotBuiltError(`${join(project, 'dist', 'main.js')} is not there: run \`npm run build\` first.`);
    }
    const { settingsFile } = this.plan();
    makeFolder(dirname(settingsFile), 0o700);
    writeOnce(settingsFile, () => SETTINGS_HEAD, 0o600);
    makeFolder(dirname(definition.file), 0o755);
    writeWhole(definition.file, definition.text, 0o644);
    return {
      kind: definition.kind,
      file: definition.file,
      settings_file: settingsFile,
      next: definition.start,
      log: definition.log,
      missing: missing(await this.run(definition.ask)),
    };
  }

  async status(): Promise<ServiceStatus> {
    const { kind, file, text, ask, log } = this.definition();
    const present = readIfThere(file);
    const ran = await this.run(ask);
    const installed = present !== undefined;
    return {
      kind,
      file,
      installed,
      outdated: installed && present !== text,
      state: state(ran),
      missing: missing(ran),
      log,
    };
  }

  async remove(): Promise<Removed> {
    const { file, stop, forget } = this.definition();
    const kept = [this.plan().settingsFile, this.settings.dataFolder].filter((path) => existsSync(path));
    if (!existsSync(file)) return { file, removed: false, problems: [], kept };
    const problems = await this.runAll(stop);
    rmSync(file, { force: true });
    problems.push(...(await this.runAll(forget)));
    return { file, removed: true, problems, kept };
  }

  private plan(): ServicePlan {
    const { node, project, path, home, uid, configFolder } = this.machine;
    return {
      node,
      project,
      path,
      home,
      dataFolder: this.settings.dataFolder,
      settingsFile: join(uid === 0 ? '/etc' : configFolder, 'horarium', 'horarium.env'),
      stopWithinSeconds: this.settings.shutdownDeadlineSeconds + GRACE_SECONDS,
    };
  }

  private async runAll(commands: readonly (readonly string[])[]): Promise<string[]> {
    const problems: string[] = [];
    for (const command of commands) {
      const ran = await this.run(command);
      if ('missing' in ran) problems.push(`${command.join(' ')}: ${ran.missing}`);
      else if (ran.code !== 0) problems.push(`${command.join(' ')}: ${ran.output || `exit code ${ran.code}`}`);
    }
    return problems;
  }

  private run([program = '', ...args]: readonly string[]): Promise<Ran> {
    return this.machine.run(program, args);
  }
}

function state(ran: Ran): string {
  if (missing(ran) !== null || 'missing' in ran) return 'unknown';
  const running = /^\s*state = (.+)$/m.exec(ran.output)?.[1];
  return running ?? (ran.output.split('\n')[0] || (ran.code === 0 ? 'active' : 'inactive'));
}

function missing(ran: Ran): string | null {
  if ('missing' in ran) {
    return (
      `no service system answers here (${ran.missing}). In a container, let its engine keep Horarium running: ` +
      'see docs/service.md'
    );
  }
  if (/not been booted with systemd|Host is down/i.test(ran.output)) {
    return 'systemd is installed but does not run this machine, as in most containers: see docs/service.md';
  }
  if (/connect to (the )?(user scope )?bus|XDG_RUNTIME_DIR/i.test(ran.output)) {
    return (
      "this user's systemd cannot be reached: log in directly (not through su or sudo), or run " +
      '`loginctl enable-linger` for this user and set XDG_RUNTIME_DIR=/run/user/<uid>'
    );
  }
  return null;
}
