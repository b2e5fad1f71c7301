// Platform, service. The property list for launchd on macOS (launchd.plist(5)).
import { join } from 'node:path';
import { HEAP_LIMIT } from './heap-limit';
import type { ServicePlan, ServiceSystem } from './service-plan';

export interface LaunchdAccount {
  readonly root: boolean;
  readonly uid: number;
  readonly home: string;
}

const LABEL = 'dev.horarium.server';

export function launchdPlist(plan: ServicePlan, { root, uid, home }: LaunchdAccount): ServiceSystem {
  const folder = root ? '/Library/LaunchDaemons' : join(home, 'Library', 'LaunchAgents');
  const file = join(folder, `${LABEL}.plist`);
  const domain = root ? 'system' : `gui/${uid}`;
  const log = join(plan.dataFolder, 'service.log');
  return {
    kind: root ? 'launchd daemon' : 'launchd agent',
    file,
    text: plistText(plan, log),
    start: [`launchctl bootstrap ${domain} ${typed(file)}`, `launchctl kickstart ${domain}/${LABEL}`],
    stop: [['launchctl', 'bootout', `${domain}/${LABEL}`]],
    forget: [],
    ask: ['launchctl', 'print', `${domain}/${LABEL}`],
    log: `tail -F ${typed(log)}`,
  };
}

function plistText(plan: ServicePlan, log: string): string {
  const environment = {
    NODE_ENV: 'production',
    HORARIUM_DATA_DIR: plan.dataFolder,
    PATH: plan.path,
    HOME: plan.home,
  };
  const text = (value: string): string => `<string>${xml(value)}</string>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>${text(LABEL)}
  <key>ProgramArguments</key>
  <array>
    ${text(plan.node)}
    ${text(HEAP_LIMIT)}
    ${text(`--env-file=${plan.settingsFile}`)}
    ${text(join(plan.project, 'dist', 'main.js'))}
  </array>
  <key>WorkingDirectory</key>${text(plan.project)}
  <key>EnvironmentVariables</key>
  <dict>
${Object.entries(environment)
  .map(([name, value]) => `    <key>${name}</key>${text(value)}`)
  .join('\n')}
  </dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ExitTimeOut</key><integer>${plan.stopWithinSeconds}</integer>
  <key>StandardOutPath</key>${text(log)}
  <key>StandardErrorPath</key>${text(log)}
</dict>
</plist>
`;
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** For a person who types it into a shell. */
function typed(text: string): string {
  return /^[\w/.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
