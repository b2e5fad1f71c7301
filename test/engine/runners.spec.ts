// The port ClassifierRunner, against a real Docker engine and against processes of this machine. The first file that a run
// is given is a shell script: the program.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunnerFailedError, RunnerUnreachableError } from '../../src/evidence-classification/domain/errors';
import { DiskRunFolders } from '../../src/evidence-classification/outbound/disk-run-folders';
import { DockerRunner } from '../../src/evidence-classification/outbound/docker-runner';
import { ProcessRunner } from '../../src/evidence-classification/outbound/process-runner';
import type { ClassifierRunner } from '../../src/evidence-classification/ports/classifier-runner';
import { ContainerEngine, TEST_IMAGE } from '../support/engine/container-engine';

const root = mkdtempSync(join(tmpdir(), 'horarium-runners-'));
const folders = new DiskRunFolders(root);
let engine: ContainerEngine;

beforeAll(async () => {
  engine = await ContainerEngine.start();
}, 120_000);
afterAll(async () => {
  await engine?.stop();
  rmSync(root, { recursive: true, force: true });
});

const docker = ({ installation = 'tests' } = {}): ClassifierRunner =>
  new DockerRunner({
    address: engine.address,
    installation: () => Promise.resolve(installation),
    memoryMib: 64,
    cpus: 1,
    beatMs: 50,
    stopGraceSeconds: 1,
  });
const processes = (): ClassifierRunner =>
  new ProcessRunner({
    root,
    command: ['/bin/sh', '-c', 'exec /bin/sh "$HORARIUM_IN/files/1"'],
    cpuSeconds: 60,
    memoryMib: 64,
    beatMs: 20,
    stopGraceMs: 1_000,
  });

async function given(script: string): Promise<string> {
  const runId = `run-${randomUUID()}`;
  const file = { evidenceId: 'evidence-1', name: '../../x', mimeType: 'text/plain', content: bytes(script) };
  await folders.prepare(runId, one(file));
  return runId;
}
const job = (runId: string, image = TEST_IMAGE) => ({
  runId,
  tenantId: 1,
  image,
  folders: folders.paths(runId),
  deadlineAt: new Date('2030-01-01T00:00:00Z'),
});
const OUT = 'OUT=${HORARIUM_OUT:-/out}\n';
const written = (runId: string, name: string): string => join(folders.paths(runId).out, name);
const idle = (): Promise<void> => Promise.resolve();

describe.each([
  ['docker', docker],
  ['process', processes],
] as const)('the %s runner', (_, make) => {
  it('runs the program to its end, and says how it ended and what it said', async () => {
    const runner = make();
    const runId = await given(`${OUT}echo done > $OUT/result; echo loud; echo error >&2; exit 3`);
    expect(await runner.state(runId)).toBe('absent');
    await runner.start(job(runId));
    const end = await runner.observe(runId, idle);
    expect(end).toMatchObject({ exitCode: 3, outOfMemory: false, output: expect.stringContaining('loud') });
    expect(end.output).toContain('error');
    expect(readFileSync(written(runId, 'result'), 'utf8')).toBe('done\n');
    expect(await runner.state(runId)).toBe('exited');
    await runner.remove(runId);
    await folders.remove(runId);
    expect(await runner.state(runId)).toBe('absent');
    await runner.remove(runId);
  });

  it('starts a run once, whoever starts it again, and another process of ours sees it to its end', async () => {
    const runId = await given(`${OUT}echo begun >> $OUT/begun; while [ ! -e $OUT/go ]; do sleep 0.05; done; exit 0`);
    const [first, second] = [make(), make()];
    await first.start(job(runId));
    await second.start(job(runId));
    await until(() => existsSync(written(runId, 'begun')));
    expect(await second.state(runId)).toBe('running');
    expect((await second.traces()).map((trace) => trace.runId)).toContain(runId);
    let beats = 0;
    const end = await second.observe(runId, () => {
      beats += 1;
      if (beats === 3) return folders.prepare(`${runId}-x`, one()).then(() => letGo(runId));
      return Promise.resolve();
    });
    expect(end.exitCode).toBe(0);
    expect(beats).toBeGreaterThanOrEqual(3);
    expect(readFileSync(written(runId, 'begun'), 'utf8')).toBe('begun\n');
    await second.remove(runId);
  });

  it('stops a program politely, and by force when it does not hear', async () => {
    const runner = make();
    const polite = await given(`${OUT}trap "exit 7" TERM; touch $OUT/ready; while :; do sleep 0.05; done`);
    const deaf = await given(`${OUT}trap "" TERM; touch $OUT/ready; while :; do sleep 0.05; done`);
    for (const runId of [polite, deaf]) {
      await runner.start(job(runId));
      await until(() => existsSync(written(runId, 'ready')));
    }
    await Promise.all([runner.stop(polite), runner.stop(deaf)]);
    expect((await runner.observe(polite, idle)).exitCode).toBe(7);
    expect([null, 137]).toContain((await runner.observe(deaf, idle)).exitCode);
    for (const runId of [polite, deaf]) {
      await runner.stop(runId);
      await runner.remove(runId);
    }
  });

  it('is not drowned by 100 MB of output', async () => {
    const runner = make();
    const runId = await given(
      `${OUT}S=0123456789; for i in 1 2 3 4 5 6 7 8 9; do S=$S$S; done; yes $S | head -c 100000000; echo; echo the end`,
    );
    await runner.start(job(runId));
    const end = await runner.observe(runId, idle);
    expect(end.output.length).toBeLessThan(1_000_000);
    await runner.remove(runId);
  }, 240_000);
});

describe('a container', () => {
  it('has no network, no rights, and nothing to write to but its output', async () => {
    const runner = docker();
    const runId = await given(
      [
        'id -u; cat /proc/self/status | while read l; do case $l in CapEff*|CapBnd*|NoNewPrivs*|Seccomp:*) echo $l;; esac; done',
        'ls /sys/class/net; touch /x 2>&1; touch /in/files/x 2>&1; touch /out/mine && echo written',
      ].join('\n'),
    );
    await runner.start(job(runId));
    const { output } = await runner.observe(runId, idle);
    const lines = output.split('\n').map((line) => line.trim().replace(/\s+/g, ' '));
    expect(lines).toEqual(
      expect.arrayContaining(['65534', 'lo', 'NoNewPrivs: 1', 'Seccomp: 2', 'CapEff: 0000000000000000', 'written']),
    );
    expect(lines.filter((line) => line.includes('Read-only file system'))).toHaveLength(2);
    expect(lines).not.toContain('eth0');
    await runner.remove(runId);
  });

  it('of an image that is not there is refused, and nothing is pulled', async () => {
    const runId = await given('exit 0');
    const refused = docker().start(job(runId, 'horarium-none:1'));
    await expect(refused).rejects.toMatchObject({ reason: 'image_missing' });
    await expect(refused).rejects.toBeInstanceOf(RunnerFailedError);
  });

  it('of which a child is killed for memory is not taken for a success', async () => {
    const runner = docker();
    const runId = await given('(head -c 200000000 /dev/zero | tail -c 190000000 | wc -c); exit 0');
    await runner.start(job(runId));
    expect(await runner.observe(runId, idle)).toMatchObject({ outOfMemory: true });
    await runner.remove(runId);
  });

  it('of another installation is none of ours', async () => {
    const runId = await given('exit 0');
    await docker().start(job(runId));
    expect((await docker({ installation: 'others' }).traces()).map((trace) => trace.runId)).not.toContain(runId);
    await docker().remove(runId);
  });

  it('ends while the engine is dead, and the next engine knows how', async () => {
    const runner = docker();
    const runId = await given('while [ ! -e /out/go ]; do sleep 0.05; done; touch /out/over; exit 9');
    await runner.start(job(runId));
    let beats = 0;
    const end = runner.observe(runId, async () => {
      beats += 1;
      if (beats !== 2) return;
      await engine.kill();
      await expect(runner.state(runId)).rejects.toBeInstanceOf(RunnerUnreachableError);
      expect(await runner.check()).toMatchObject({ ok: false });
      await letGo(runId);
      await until(() => existsSync(written(runId, 'over')));
      await engine.begin();
    });
    expect((await end).exitCode).toBe(9);
    await runner.remove(runId);
  }, 120_000);
});

async function letGo(runId: string): Promise<void> {
  const { writeFile } = await import('node:fs/promises');
  await writeFile(written(runId, 'go'), '');
}

async function* one<T>(...items: T[]): AsyncIterable<T> {
  for (const item of items) yield await Promise.resolve(item);
}

function bytes(text: string): AsyncIterable<Uint8Array> {
  return one(Buffer.from(text));
}

/** A container cannot wake us: its folder is looked at. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((again) => setTimeout(again, 20));
}
