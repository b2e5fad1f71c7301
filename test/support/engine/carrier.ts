// Test support. What carries classification runs, of real parts but for the evidence: within a test, or as a process of its
// own that the test kills. This file is both ends of that process.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { DiskRunFolders } from '../../../src/evidence-classification/outbound/disk-run-folders';
import { DockerRunner } from '../../../src/evidence-classification/outbound/docker-runner';
import { ProcessRunner } from '../../../src/evidence-classification/outbound/process-runner';
import { SqlRunRepository } from '../../../src/evidence-classification/outbound/sql-run-repository';
import type { ClassifierRunner } from '../../../src/evidence-classification/ports/classifier-runner';
import type { EvidenceCatalogue } from '../../../src/evidence-classification/ports/evidence-catalogue';
import type { ModelDoor } from '../../../src/evidence-classification/ports/model-door';
import { CarryRuns } from '../../../src/evidence-classification/usecases/carry-runs';
import { ReapStrays } from '../../../src/evidence-classification/usecases/reap-strays';
import { dataSourceOptions } from '../../../src/platform/persistence/data-source-options';
import { Sessions } from '../../../src/platform/persistence/sessions';

export interface CarrierSettings {
  readonly owner: string;
  readonly runner: 'docker' | 'process';
  readonly root: string;
  readonly engine: string;
  /** The program: the first file that a run is given. */
  readonly program: string;
}

export interface CarrierParts {
  readonly sessions: Sessions;
  readonly door?: ModelDoor;
  readonly content?: () => AsyncIterable<Uint8Array>;
}

const NO_DOOR: ModelDoor = { open: () => Promise.resolve({ close: () => Promise.resolve() }) };
const IMAGES = ['horarium-test:1', 'horarium-none:1'];

export function runnerOf({ runner, root, engine }: Omit<CarrierSettings, 'owner' | 'program'>): ClassifierRunner {
  if (runner === 'docker') {
    const installation = (): Promise<string> => new DiskRunFolders(root).place();
    const limits = { memoryMib: 64, cpus: 1, beatMs: 50, stopGraceSeconds: 1 };
    return new DockerRunner({ address: engine, installation, ...limits });
  }
  const command = ['/bin/sh', '-c', 'exec /bin/sh "$HORARIUM_IN/files/1"'];
  return new ProcessRunner({ root, command, cpuSeconds: 60, memoryMib: 64, beatMs: 20, stopGraceMs: 1_000 });
}

export class Carrier {
  readonly runs: SqlRunRepository;
  readonly runner: ClassifierRunner;
  readonly folders: DiskRunFolders;
  readonly reaper: ReapStrays;
  readonly carry: CarryRuns;
  readonly troubles: string[] = [];

  constructor(settings: CarrierSettings, { sessions, door = NO_DOOR, content }: CarrierParts) {
    this.runs = new SqlRunRepository(sessions);
    this.runner = runnerOf(settings);
    this.folders = new DiskRunFolders(settings.root);
    const given = content ?? ((): AsyncIterable<Uint8Array> => pieces(settings.program));
    const catalogue = {
      content: () => Promise.resolve({ mimeType: 'text/plain', content: given() }),
    } as unknown as EvidenceCatalogue;
    const signals = {
      queued: () => undefined,
      ended: () => undefined,
      trouble: (message: string, cause: unknown) => void this.troubles.push(`${message}: ${String(cause)}`),
    };
    this.reaper = new ReapStrays(this.runs, this.runner, this.folders, signals);
    const policy = { images: IMAGES, maxRuns: 2, deadlineSeconds: 1_800, leaseSeconds: 60, maxFiles: 10 };
    this.carry = new CarryRuns(
      this.runs,
      this.runner,
      this.folders,
      door,
      this.reaper,
      catalogue,
      signals,
      policy,
      { id: settings.owner },
      { now: () => new Date() },
    );
  }
}

/** A process that carries, and that nobody needs to be polite to. */
export class CarrierProcess {
  private constructor(private readonly child: ChildProcess) {}

  /** `still`: it never gets to the end of laying out the files. */
  static async begin(settings: CarrierSettings & { url: string; still?: boolean }): Promise<CarrierProcess> {
    const root = join(__dirname, '..', '..', '..');
    const child = fork(__filename, [JSON.stringify(settings)], {
      execArgv: ['-r', 'reflect-metadata', '-r', join(root, 'scripts', 'swc-register.cjs')],
      cwd: root,
    });
    await once(child, 'message');
    return new CarrierProcess(child);
  }

  /** A round of it. What it took goes on beside it. */
  round(): void {
    this.child.send('round');
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}

async function* pieces(text: string): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

async function* never(): AsyncIterable<Uint8Array> {
  yield Buffer.from('#');
  await new Promise(() => undefined);
}

async function main(): Promise<void> {
  const settings = JSON.parse(process.argv[2]!) as CarrierSettings & { url: string; still?: boolean };
  const source = await new DataSource(dataSourceOptions({ url: settings.url, poolSize: 4 })).initialize();
  const content = settings.still === true ? never : undefined;
  const carrier = new Carrier(settings, { sessions: new Sessions(source), content });
  process.on('message', () => void carrier.carry.run(new Date()));
  // The test is gone.
  process.on('disconnect', () => process.exit());
  process.send!('ready');
}

if (require.main === module) void main();
