// Test support. A Docker engine of the tests' own: started by hand in a folder of its own, without any network or firewall
// rule. Nothing is pulled. It ends with the tests, however they end: its keeper sees to that.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { busyboxImage, classifierContext, nodeImage } from './images';

export const TEST_IMAGE = 'horarium-test:1';

export class ContainerEngine {
  private child: ChildProcess | undefined;
  private readonly keeper: ChildProcess;

  private constructor(readonly folder: string) {
    const keeper = join(__dirname, 'engine-keeper.cjs');
    this.keeper = spawn(process.execPath, [keeper, folder], { stdio: ['pipe', 'ignore', 'inherit'], detached: true });
  }

  /** With the image of the tests. The name of a socket ends at about a hundred characters: hence a short folder. */
  static async start(): Promise<ContainerEngine> {
    const engine = new ContainerEngine(mkdtempSync(join(tmpdir(), 'he-')));
    await engine.begin();
    const command = ['CMD ["sh", "/in/files/1"]'];
    await engine.importImage(TEST_IMAGE, busyboxImage(join(engine.folder, 'image')), command);
    return engine;
  }

  get address(): string {
    return `unix://${this.folder}/docker.sock`;
  }

  get pid(): number {
    return this.child!.pid!;
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
    await this.end('SIGKILL');
    try {
      process.kill(Number(readFileSync(join(this.folder, 'exec/containerd/containerd.pid'), 'utf8')), 'SIGKILL');
    } catch {
      // Dies with the engine, where the kernel sees to it.
    }
  }

  /** As by its operator: what runs on it is told to end, too. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  /** For good, with all that it has. */
  async stop(): Promise<void> {
    const ended = once(this.keeper, 'exit');
    this.keeper.stdin!.end();
    await ended;
  }

  /** The image of the bundled classifier, of its own Dockerfile; in the place of its base image stands the node of the tests. */
  async buildClassifier(tag: string): Promise<void> {
    const base = 'horarium-test-node:1';
    await this.importImage(base, nodeImage(join(this.folder, 'node-image')), []);
    const given = encodeURIComponent(JSON.stringify({ BASE_IMAGE: base }));
    await this.make(`/v1.40/build?t=${tag}&networkmode=none&buildargs=${given}`, classifierContext());
  }

  private importImage(tag: string, tar: Readable, changes: readonly string[]): Promise<void> {
    const [repo, version] = tag.split(':');
    const more = changes.map((change) => `&changes=${encodeURIComponent(change)}`).join('');
    return this.make(`/v1.40/images/create?fromSrc=-&repo=${repo}&tag=${version}${more}`, tar);
  }

  private async make(path: string, tar: Readable): Promise<void> {
    const made = await this.call('POST', path, tar);
    if (made.status !== 200 || made.text.includes('"error"')) throw new Error(`no image: ${made.text}`);
  }

  private call(method: string, path: string, tar?: Readable): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const headers = { 'Content-Type': 'application/x-tar' };
      const to = { socketPath: `${this.folder}/docker.sock`, method, path, headers, agent: false };
      const asked = request(to, (answer) => {
        let text = '';
        answer.on('data', (piece: Buffer) => (text += piece.toString()));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      });
      asked.on('error', reject);
      if (tar === undefined) asked.end();
      else tar.pipe(asked);
    });
  }

  private async answers(): Promise<boolean> {
    return this.call('GET', '/_ping').then(
      ({ status }) => status === 200,
      () => false,
    );
  }
}
