// Platform, service. The unit for systemd (systemd.service(5), systemd.exec(5), systemd.syntax(7)).
import { join } from 'node:path';
import { HEAP_LIMIT } from './heap-limit';
import type { ServicePlan, ServiceSystem } from './service-plan';

export interface SystemdAccount {
  readonly root: boolean;
  readonly user: string;
  readonly configFolder: string;
}

const UNIT = 'horarium.service';

export function systemdUnit(plan: ServicePlan, { root, user, configFolder }: SystemdAccount): ServiceSystem {
  const file = root ? join('/etc/systemd/system', UNIT) : join(configFolder, 'systemd', 'user', UNIT);
  const systemctl = root ? ['systemctl'] : ['systemctl', '--user'];
  const typed = systemctl.join(' ');
  return {
    kind: root ? 'systemd system unit' : 'systemd user unit',
    file,
    text: unitText(plan, root),
    start: [
      `${typed} daemon-reload`,
      `${typed} enable --now horarium`,
      // Without it a user's services end with the last log-out, and do not start with the machine.
      ...(root ? [] : [`loginctl enable-linger ${user}`]),
    ],
    stop: [[...systemctl, 'disable', '--now', UNIT]],
    forget: [[...systemctl, 'daemon-reload']],
    ask: [...systemctl, 'is-active', UNIT],
    log: root ? 'journalctl -u horarium -f' : 'journalctl --user -u horarium -f',
  };
}

function unitText(plan: ServicePlan, root: boolean): string {
  const environment = {
    NODE_ENV: 'production',
    HORARIUM_DATA_DIR: plan.dataFolder,
    PATH: plan.path,
    // A user's services have it from systemd.
    ...(root ? { HOME: plan.home } : {}),
  };
  return `${[
    '[Unit]',
    'Description=Horarium: scheduled agent runs',
    'Documentation=file:' + percent(join(plan.project, 'docs', 'service.md')).replaceAll(' ', '%%20'),
    ...(root ? ['After=network-online.target', 'Wants=network-online.target'] : []),
    'StartLimitIntervalSec=300',
    'StartLimitBurst=10',
    '',
    '[Service]',
    'Type=simple',
    `ExecStart=${[plan.node, HEAP_LIMIT, join(plan.project, 'dist', 'main.js')].map(argument).join(' ')}`,
    `WorkingDirectory=${percent(plan.project)}`,
    ...Object.entries(environment).map(([name, value]) => `Environment=${quoted(percent(`${name}=${value}`))}`),
    `EnvironmentFile=-${percent(plan.settingsFile)}`,
    'Restart=on-failure',
    'RestartSec=2',
    '# The server ends its agents and its database itself, in that order; what is left afterwards is killed.',
    'KillMode=mixed',
    `TimeoutStopSec=${plan.stopWithinSeconds}`,
    'UMask=0022',
    '',
    '[Install]',
    `WantedBy=${root ? 'multi-user.target' : 'default.target'}`,
  ].join('\n')}\n`;
}

/** A percent sign begins a specifier everywhere. */
function percent(text: string): string {
  return text.replaceAll('%', '%%');
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** In a command line a dollar sign begins a variable as well. */
function argument(text: string): string {
  return quoted(percent(text)).replaceAll('$', () => '$$');
}
