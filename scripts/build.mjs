// Compiles src/ to dist/. `--if-stale`: only when a source is newer than the last build. `--if-possible`: does
// nothing where the compiler is not installed (an install without development packages brings its own dist/).
// `prepare` has both flags: npm runs it for `npm ci`, and again for the first `npx horarium`, which links this folder into
// npm's cache (a link in node_modules/.bin is not even looked at) and must not build anew under a running server.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'dist', '.built');
const flags = new Set(process.argv.slice(2));

function newest(path) {
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function compiler() {
  try {
    return createRequire(join(root, 'package.json')).resolve('@nestjs/cli/bin/nest.js');
  } catch {
    return undefined;
  }
}

const nest = compiler();
const sources = join(root, 'src');
if (flags.has('--if-stale') && existsSync(stamp)) {
  const built = statSync(stamp).mtimeMs;
  const inputs = [sources, join(root, 'package.json'), join(root, 'tsconfig.json'), join(root, 'tsconfig.build.json')];
  if (!existsSync(sources) || inputs.every((input) => newest(input) <= built)) process.exit(0);
}
if (nest === undefined) {
  if (flags.has('--if-possible') || existsSync(stamp)) process.exit(0);
  console.error('There is no build in dist/ and no compiler to make one: run `npm ci` with development packages.');
  process.exit(1);
}
const built = spawnSync(process.execPath, [nest, 'build'], { cwd: root, stdio: 'inherit' });
if (built.status === 0) writeFileSync(stamp, '');
process.exit(built.status ?? 1);
