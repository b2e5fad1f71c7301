// Test support. A Docker engine of the tests' own: started by hand in a folder of its own, without any network or firewall
// rule, and an image made on the spot of busybox. Nothing is pulled.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const TEST_IMAGE = 'horarium-test:1';
const TOOLS = [
  'sh',
  'ls',
  'cat',
  'sleep',
  'tail',
  'head',
  'yes',
  'id',
  'touch',
  'mv',
  'kill',
  'wc',
  'ip',
  'mkdir',
  'ln',
];

export class ContainerEngine {
  private child: ChildProcess | undefined;

  private constructor(private readonly folder: string) {}

  /** The name of a socket ends at about a hundred characters: hence a short folder, by itself. */
  static async start(): Promise<ContainerEngine> {
    const engine = new ContainerEngine(mkdtempSync(join(tmpdir(), 'he-')));
    await engine.begin();
    await engine.makeImage();
    return engine;
  }

  get address(): string {
    return `unix://${this.folder}/docker.sock`;
  }

  async begin(): Promise<void> {
    // One that was killed leaves it behind, and the next one would take it for a living one's.
    for (const left of ['docker.pid', 'exec/containerd/containerd.pid'])
      rmSync(join(this.folder, left), { force: true });
    const log = openSync(join(this.folder, 'log'), 'a');
    const roots = ['--data-root', `${this.folder}/data`, '--exec-root', `${this.folder}/exec`];
    const alone = ['--iptables=false', '--ip6tables=false', '--bridge=none', '--ip-forward=false', '--log-level=warn'];
    this.child = spawn('dockerd', ['-H', this.address, ...roots, '--pidfile', `${this.folder}/docker.pid`, ...alone], {
      stdio: ['ignore', log, log],
      detached: true,
    });
    while (!(await this.answers())) {
      if (this.child.exitCode !== null) throw new Error(`dockerd ended; its log is ${this.folder}/log`);
      // Another program's start has no signal that we could hear; asking without a pause would slow it down.
      await new Promise((again) => setTimeout(again, 100));
    }
  }

  /** As by the machine's own hand; what runs on it goes on. */
  async kill(): Promise<void> {
    const { child } = this;
    child?.kill('SIGKILL');
    if (child !== undefined && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    try {
      process.kill(Number(readFileSync(join(this.folder, 'exec/containerd/containerd.pid'), 'utf8')), 'SIGKILL');
    } catch {
      // Dies with the engine, where the kernel sees to it.
    }
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    // What the engine mounted and, after it was killed, left behind.
    const mounts = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' ')[1] ?? '');
    for (const mount of mounts.filter((path) => path.startsWith(`${this.folder}/`)).reverse()) {
      execFileSync('umount', ['-l', mount], { stdio: 'ignore' });
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  call(
    method: string,
    path: string,
    body?: Buffer,
    type = 'application/json',
  ): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const asked = request(
        { socketPath: `${this.folder}/docker.sock`, method, path, headers: { 'Content-Type': type }, agent: false },
        (answer) => {
          let text = '';
          answer.on('data', (piece: Buffer) => (text += piece.toString()));
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
        },
      );
      asked.on('error', reject);
      asked.end(body);
    });
  }

  private async answers(): Promise<boolean> {
    return this.call('GET', '/_ping').then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  private async makeImage(): Promise<void> {
    const root = join(this.folder, 'image');
    for (const name of ['bin', 'etc', 'in', 'out', 'tmp']) mkdirSync(join(root, name), { recursive: true });
    for (const open of ['in', 'out', 'tmp']) chmodSync(join(root, open), 0o1777);
    copyFileSync('/usr/bin/busybox', join(root, 'bin/busybox'));
    for (const tool of TOOLS) symlinkSync('busybox', join(root, 'bin', tool));
    writeFileSync(join(root, 'etc/passwd'), 'nobody:x:65534:65534::/:/bin/sh\n');
    const tar = execFileSync('tar', ['-C', root, '-c', '.'], { maxBuffer: 64 * 1_048_576 });
    const changes = `changes=${encodeURIComponent('CMD ["sh", "/in/files/1"]')}`;
    const path = `/v1.40/images/create?fromSrc=-&repo=horarium-test&tag=1&${changes}`;
    const made = await this.call('POST', path, tar, 'application/x-tar');
    if (made.status !== 200 || made.text.includes('"error"')) throw new Error(`no image: ${made.text}`);
  }
}
