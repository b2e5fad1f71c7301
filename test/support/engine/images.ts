// Test support. The images of the tests, made of what this machine has: nothing is pulled.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';

const TOOLS = 'sh ls cat sleep tail head yes id touch mv kill wc ip mkdir mkfifo ln chmod'.split(' ');

function layOut(root: string): void {
  for (const name of ['bin', 'etc', 'in', 'out', 'tmp']) mkdirSync(join(root, name), { recursive: true });
  for (const open of ['in', 'out', 'tmp']) chmodSync(join(root, open), 0o1777);
  copyFileSync('/usr/bin/busybox', join(root, 'bin/busybox'));
  for (const tool of TOOLS) symlinkSync('busybox', join(root, 'bin', tool));
  writeFileSync(join(root, 'etc/passwd'), 'nobody:x:65534:65534::/:/bin/sh\n');
}

function packed(root: string): Readable {
  return spawn('tar', ['-C', root, '-c', '.'], { stdio: ['ignore', 'pipe', 'inherit'] }).stdout;
}

/** A few tools of busybox. */
export function busyboxImage(root: string): Readable {
  layOut(root);
  return packed(root);
}

/** The node that runs these tests, with the libraries it is linked against: what an image of node has, as far as it goes. */
export function nodeImage(root: string): Readable {
  layOut(root);
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  copyFileSync(realpathSync(process.execPath), join(root, 'usr/bin/node'));
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g);
  for (const [, path = ''] of libraries) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    copyFileSync(realpathSync(path), join(root, dirname(path), basename(path)));
  }
  return packed(root);
}

/** What `docker build` is given for the bundled classifier. */
export function classifierContext(): Readable {
  const script = join(__dirname, '..', '..', '..', 'scripts', 'classifier-context.mjs');
  return spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] }).stdout;
}
