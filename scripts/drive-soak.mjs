// `npm run soak:drive -- [edits] [seed]`: the soak of test/e2e/drive/soak.spec.ts, 500 edits long; prints what it met.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './checks.mjs';

const [edits = '500', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const jest = join(root, 'node_modules/jest/bin/jest.js');
const child = spawn(process.execPath, [jest, '--testPathPatterns', 'e2e/drive/soak'], {
  cwd: root,
  env: { ...process.env, DRIVE_SOAK_EDITS: edits, DRIVE_SOAK_SEED: seed },
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => (process.exitCode = code ?? 1));
