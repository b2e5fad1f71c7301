// `horarium notifications` and `horarium webhooks`, against a server and a receiver on this machine.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemActor } from '../../../src/kernel/actor';
import { appendEvents } from '../../../src/platform/outbox';
import { testApp, type TestApp } from '../../support/app';
import { horarium, type Horarium } from '../../support/cli';
import { socketClient } from '../../support/sockets';

let house: TestApp;
let receiver: Server;
let hook: string;
let alice: Horarium;
let mia: Horarium;
let status = 204;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(status).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  house = await testApp({ HORARIUM_OUTBOUND_ALLOW: '127.0.0.1' });
  const as = (token: string): Horarium =>
    horarium({ HORARIUM_URL: house.url, HORARIUM_TOKEN: token, HORARIUM_DATA_DIR: house.dataDir });
  alice = as(await house.token('alice'));
  mia = as(await house.token('mia', { roles: ['manager'] }));
});
afterAll(async () => {
  await house.close();
  receiver.closeAllConnections();
  receiver.close();
});

const SILENT = { code: 0, stderr: '' };

test('what happened is listed, counted and read', async () => {
  expect(await alice('notifications', 'list')).toEqual({ ...SILENT, stdout: 'no notifications\n' });
  const live = await socketClient(house.url, '/socket/notification', { token: await house.token('alice') });
  await live.ask('join', { room: { type: 'user', id: 'alice' } });
  const payload = { user_id: 'alice', task_id: 't', task_title: 'News\u001b[2J', error: 'no' };
  await house.database.sessions.run(systemActor('tests'), (tx) =>
    appendEvents(tx, [{ tenantId: 1, type: 'run.failed', payload, occurredAt: new Date() }]),
  );
  house.ticker.wake('outbox-relay');
  const { id } = await live.next('notification');
  live.close();

  const listed = await alice('notifications', 'list', '--unread', '--kind', 'run.failed');
  expect(listed).toMatchObject({ ...SILENT, stdout: expect.stringMatching(/new +run\.failed +News.* failed: no/) });
  expect(listed.stdout).not.toContain('\u001b');
  expect(JSON.parse((await alice('notifications', 'list', '--json')).stdout)).toMatchObject([{ id, read_at: null }]);
  expect((await alice('notifications', 'count')).stdout).toBe('1 unread\n');
  expect((await alice('notifications', 'read', String(id))).stdout).toBe('1 marked as read\n');
  expect((await alice('notifications', 'read', '--all')).stdout).toBe('0 marked as read\n');
  expect((await alice('notifications', 'count', '--json')).stdout).toBe('{"unread":0}\n');
  expect(await mia('notifications', 'read', String(id))).toMatchObject({ code: 4, stdout: '' });
  expect(await alice('notifications', 'read')).toMatchObject({ code: 2, stderr: expect.stringContaining('--all') });
});

test('what somebody wants to hear is shown and changed', async () => {
  const usual = await alice('notifications', 'preferences');
  expect(usual).toMatchObject({ ...SILENT, stdout: expect.stringMatching(/successes +off \(not set here\)/) });
  const changed = await alice('notifications', 'preferences', '--success', 'on', '--digest', '0');
  expect(changed.stdout).toMatch(/successes +on\n/);
  expect(changed.stdout).toMatch(/collected for +0 s\n/);
  expect((await alice('notifications', 'preferences', '--success', 'usual')).stdout).toBe(
    usual.stdout.replace(/collected.*/, 'collected for  0 s'),
  );
  expect(await alice('notifications', 'preferences', '--failure', 'maybe')).toMatchObject({ code: 2, stdout: '' });
  expect(await alice('notifications', 'preferences', '--task', 'none')).toMatchObject({ code: 4, stdout: '' });
});

test('a webhook is made, tried, read about, and deleted', async () => {
  expect(await alice('webhooks', 'list')).toMatchObject({ code: 6, stdout: '' });
  const made = await mia('webhooks', 'create', 'on-call', hook, '--event', 'task.created', '--event', 'run.failed');
  expect(made).toMatchObject({ ...SILENT, stdout: expect.stringMatching(/never again: whsec_\S+\n$/) });
  const [id] = /hook-\w+/.exec(made.stdout) ?? [''];
  const shown = await mia('webhooks', 'show', id);
  expect(shown.stdout).toMatch(/state +enabled\n[^]*events +task\.created run\.failed\n/);
  expect(shown.stdout).not.toContain('whsec_');
  expect((await mia('webhooks', 'list')).stdout).toMatch(new RegExp(`${id} +on-call +enabled +signed +${hook}`));

  expect(await mia('webhooks', 'test', id)).toMatchObject({
    ...SILENT,
    stdout: expect.stringContaining('delivered, 204'),
  });
  status = 500;
  expect(await mia('webhooks', 'test', id)).toMatchObject({ code: 7, stderr: '' });
  status = 204;
  const { stdout } = await mia('webhooks', 'deliveries', id, '--state', 'delivered', '--json');
  const [delivery] = JSON.parse(stdout) as [{ id: string }];
  expect((await mia('webhooks', 'replay', id, delivery.id)).stdout).toContain('delivered, 204');
  expect((await mia('webhooks', 'replay', id)).stdout).toBe('1 will be sent again\n');
  expect((await mia('webhooks', 'deliveries', id)).stdout).toMatch(/webhook\.test +delivered +1 +204/);
  expect((await mia('webhooks', 'rotate-secret', id)).stdout).toMatch(/whsec_\S+\n$/);

  expect((await mia('webhooks', 'disable', id)).stdout).toMatch(/state +disabled\n/);
  expect((await mia('webhooks', 'enable', id)).stdout).toMatch(/state +enabled\n/);
  expect((await mia('webhooks', 'delete', id)).stdout).toBe(`webhook ${id} is deleted\n`);
  expect(await mia('webhooks', 'show', id)).toMatchObject({ code: 4, stdout: '' });
  const refused = await mia('webhooks', 'create', 'bad', 'http://169.254.1.1/', '--event', 'nope');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
});
