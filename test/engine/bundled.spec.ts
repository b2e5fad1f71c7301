// The bundled classifier in a container of its own image, which is built of its Dockerfile on the spot: through the whole
// application, and asking a model although it has no network.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskRunFolders } from '../../src/evidence-classification/outbound/disk-run-folders';
import { DockerRunner } from '../../src/evidence-classification/outbound/docker-runner';
import { SocketModelDoor } from '../../src/evidence-classification/outbound/socket-model-door';
import { type Client, testApp, type TestApp } from '../support/app';
import { docx, pdf } from '../support/classifier/classifier-files';
import { ContainerEngine } from '../support/engine/container-engine';

const IMAGE = 'horarium-classifier:1';
const MEDIA = 'Certificate of destruction: the hard disks and tapes were shredded.';
let engine: ContainerEngine;

beforeAll(async () => {
  engine = await ContainerEngine.start();
  await engine.buildClassifier(IMAGE);
}, 240_000);
afterAll(() => engine?.stop(), 60_000);

describe('through the application', () => {
  let house: TestApp;
  let alice: Client;
  let manager: Client;
  beforeAll(async () => {
    house = await testApp({ CLASSIFIER_RUNNER: 'docker', DOCKER_HOST: engine.address });
    alice = await house.as('alice');
    manager = await house.as('mona', { roles: ['user', 'manager'] });
  });
  afterAll(() => house?.close());

  it('classifies the evidence of a project, of each kind that it reads', async () => {
    const { id } = (await alice.post('/api/1.0/projects', { name: 'CMMC' })).body as { id: string };
    const files = { 'a.txt': MEDIA, 'b.docx': docx(MEDIA), 'c.pdf': pdf(MEDIA), 'd.pdf': pdf('') };
    for (const [filename, content] of Object.entries(files)) {
      const sent = alice.post(`/api/1.0/projects/${id}/evidence`).attach('file', Buffer.from(content), { filename });
      expect((await sent).status).toBe(201);
    }
    const started = await manager.post(`/api/1.0/projects/${id}/classification-runs`, {});
    const { id: runId } = started.body as { id: string };
    for (;;) {
      const { body } = await alice.get(`/api/1.0/classification-runs/${runId}`);
      if (['queued', 'starting', 'running'].includes((body as { status: string }).status)) {
        // A container has no signal that we could hear.
        await new Promise((again) => setTimeout(again, 100));
        continue;
      }
      expect(body).toMatchObject({
        ...{ status: 'succeeded', reason: null, runner: 'docker', image: IMAGE, done_files: 4, failed_files: 1 },
        files: expect.arrayContaining([
          expect.objectContaining({ name: 'a.txt', control_family: 'MP' }),
          expect.objectContaining({ name: 'b.docx', control_family: 'MP' }),
          expect.objectContaining({ name: 'c.pdf', control_family: 'MP' }),
          expect.objectContaining({ name: 'd.pdf', state: 'failed', error: expect.stringContaining('scan') }),
        ]),
      });
      break;
    }
    const health = (await alice.get('/health/ready')).body as object;
    expect(health).toMatchObject({ checks: { classifier: { status: 'ok', runner: 'docker' } } });
  }, 120_000);
});

it('asks a model through the socket among its files: it has no network, and no key', async () => {
  const asked: (string | undefined)[] = [];
  const model = createServer((request, response) => {
    asked.push(request.headers.authorization);
    const content = '{"family": "PE", "confidence": 0.7, "words": ["tapes"]}';
    response.end(JSON.stringify({ choices: [{ message: { content } }] }));
  }).listen(0, '127.0.0.1');
  await once(model, 'listening');
  const root = join(mkdtempSync(join(tmpdir(), 'horarium-bundled-')), 'a folder whose name is long'.repeat(3));
  const folders = new DiskRunFolders(root);
  const paths = folders.paths('run-model');
  const files = (async function* () {
    const content = (async function* () {
      yield await Promise.resolve(Buffer.from(MEDIA));
    })();
    yield await Promise.resolve({ evidenceId: 'evidence-1', name: 'a.txt', mimeType: 'text/plain', content });
  })();
  await folders.prepare('run-model', files);
  const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
  const door = await new SocketModelDoor({ url, model: 'a-model', key: 'a-key' }).open(paths.in, 3);
  const installation = (): Promise<string> => folders.place();
  const runner = new DockerRunner({ address: engine.address, installation, memoryMib: 512, cpus: 1 });
  const deadlineAt = new Date('2030-01-01T00:00:00Z');
  await runner.start({ runId: 'run-model', tenantId: 1, image: IMAGE, folders: paths, deadlineAt });
  expect(await runner.observe('run-model', () => Promise.resolve())).toMatchObject({ exitCode: 0, outOfMemory: false });
  expect(JSON.parse(readFileSync(join(paths.out, 'progress.ndjson'), 'utf8'))).toEqual({
    ...{ file: 'evidence-1', state: 'done', family: 'PE', confidence: 0.7, words: ['tapes'] },
  });
  expect(asked).toEqual(['Bearer a-key']);
  await runner.remove('run-model');
  await door.close();
  model.close();
  rmSync(join(root, '..'), { recursive: true, force: true });
}, 120_000);
