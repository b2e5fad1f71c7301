// The build context of the classifier's image, as a tar archive on standard output:
// `node scripts/classifier-context.mjs | docker build -t horarium-classifier:1 -`. After `npm ci`.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const classifier = join(root, 'classifier');
/** What the program reads at run time; the texts it was measured with stay here. */
const OURS = /^(Dockerfile|package\.json|.+\.mjs)$/;
/** Of a package: what is only for people and compilers. */
const NOT_RUN = /(\.(map|md|ts|mts|cts|markdown)|\/(test|tests|docs|browser-demo|\.github))$/i;

/** The folders of these packages and of all that they need, found as node finds them. */
function closure(folder, found = new Set()) {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    const place = placeOf(name, folder === classifier ? root : folder);
    if (found.has(place)) continue;
    found.add(place);
    closure(place, found);
  }
  return found;
}

function placeOf(name, from) {
  for (let at = from; ; at = dirname(at)) {
    const place = join(at, 'node_modules', name);
    if (existsSync(join(place, 'package.json'))) return place;
    if (at === root) throw new Error(`${name} is not installed: run npm ci first`);
  }
}

const context = mkdtempSync(join(tmpdir(), 'classifier-'));
try {
  for (const name of readdirSync(classifier).filter((one) => OURS.test(one))) {
    cpSync(join(classifier, name), join(context, name));
  }
  for (const place of closure(classifier)) {
    const within = (path) => relative(place, path);
    const wanted = (path) => !NOT_RUN.test(`/${within(path)}`) && !within(path).split('/').includes('node_modules');
    cpSync(place, join(context, relative(root, place)), { recursive: true, filter: wanted });
  }
  const owned = ['--owner=0', '--group=0', '--sort=name', '--mtime=2020-01-01'];
  const tar = spawnSync('tar', ['-C', context, ...owned, '-c', '.'], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (tar.status !== 0) throw new Error(`tar ended with ${tar.status ?? tar.error}`);
} finally {
  rmSync(context, { recursive: true, force: true });
}
