// Test support, a process of its own: starts an engine with a container on it, says so, and waits to be killed.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DiskRunFolders } from '../../../src/evidence-classification/outbound/disk-run-folders';
import { runnerOf } from './carrier';
import { ContainerEngine, TEST_IMAGE } from './container-engine';

async function main(): Promise<void> {
  const engine = await ContainerEngine.start();
  const root = join(engine.folder, 'runs');
  const folders = new DiskRunFolders(root);
  const runId = `run-${randomUUID()}`;
  const script = (async function* () {
    yield await Promise.resolve(Buffer.from('trap "" TERM; while :; do sleep 1; done'));
  })();
  const files = (async function* () {
    yield await Promise.resolve({ evidenceId: 'evidence-1', name: 'x', mimeType: 'text/plain', content: script });
  })();
  await folders.prepare(runId, files);
  const runner = runnerOf({ runner: 'docker', root, engine: engine.address });
  const deadlineAt = new Date('2030-01-01T00:00:00Z');
  await runner.start({ runId, tenantId: 1, image: TEST_IMAGE, folders: folders.paths(runId), deadlineAt });
  process.send!({ folder: engine.folder, pid: engine.pid });
}

void main();
