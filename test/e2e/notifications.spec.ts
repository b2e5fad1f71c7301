// Notifications and webhooks, from the fact to whoever is told of it: rows, sockets, a receiver on this machine.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { systemActor } from '../../src/kernel/actor';
import { appendEvents } from '../../src/platform/outbox';
import { DeliverDue } from '../../src/notifications';
import { type Client, testApp, type TestApp } from '../support/app';
import { expectProblem, TASK } from '../support/http';
import { SmtpSink } from '../support/smtp-sink';
import { type Payload, type SocketClient, socketClient } from '../support/sockets';

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const NAMESPACE = '/socket/notification';
let house: TestApp;
let alice: Client;
let manager: Client;
let receiver: Server;
let hook: string;
let received: Received[] = [];
let status = 204;
let watching: (() => void)[] = [];
let post: SmtpSink;
const sockets: SocketClient[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      // The operator's own target always answers well: what another test makes a hook say would disable it.
      response.writeHead(request.url === '/hook' ? status : 204).end('thanks');
      for (const look of watching) look();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  post = await SmtpSink.open();
  house = await testApp({
    HORARIUM_OUTBOUND_ALLOW: '127.0.0.1',
    HORARIUM_NOTIFY_NTFY: hook.replace('/hook', '/ntfy'),
    HORARIUM_NOTIFY_MAIL: 'ops@example.org',
    HORARIUM_SMTP_URL: post.url,
  });
  alice = await house.as('alice');
  manager = await house.as('mia', { roles: ['manager'] });
});
afterAll(async () => {
  for (const socket of sockets) socket.close();
  await house.close();
  receiver.closeAllConnections();
  receiver.close();
  await post.close();
});
beforeEach(() => {
  received = [];
  watching = [];
  status = 204;
});

/** As a feature does, in a transaction of its own. */
async function fact(type: string, payload: Record<string, unknown>, tenantId = 1): Promise<void> {
  const actor = systemActor('tests');
  await house.database.sessions.run(actor, (tx) =>
    appendEvents(tx, [{ tenantId, type, payload, occurredAt: new Date() }]),
  );
  house.ticker.wake('outbox-relay');
}

async function connect(user: string, options?: Parameters<TestApp['token']>[1]): Promise<SocketClient> {
  const client = await socketClient(house.url, NAMESPACE, { token: await house.token(user, options) });
  sockets.push(client);
  return client;
}

const room = (type: string, id: string): Payload => ({ room: { type, id } });
const failed = (user: string, task: string): Payload => ({
  user_id: user,
  task_id: task,
  task_title: task,
  error: 'no',
});
/** The first that was received in this test, or will be; others may come at any time, from earlier tests too. */
const arrival = (holds: (one: Received) => boolean): Promise<Received> =>
  new Promise((resolve) => {
    const look = (): void => {
      const found = received.find(holds);
      if (found !== undefined) resolve(found);
    };
    watching.push(look);
    look();
  });
const testOf = (id: unknown) => (one: Received) => one.body.includes(String(id)) && one.body.includes('A test of');

describe('notifications', () => {
  it('are there as rows, for sockets that come later, and for those that listen', async () => {
    const live = await connect('alice');
    expect(await live.next('hello')).toMatchObject({ last_seq: 0, recovered: false });
    expect(await live.ask('join', room('user', 'alice'))).toEqual({ ok: true, seq: 0, missed: [], truncated: false });
    await fact('run.failed', failed('alice', 'News'));
    const told = await live.next('notification');
    expect(told).toMatchObject({ seq: 1, kind: 'run.failed', title: 'News failed: no', data: { task_id: 'News' } });

    const { body } = await alice.get('/api/1.0/notifications').expect(200);
    expect(body).toMatchObject([{ id: told['id'], seq: 1, room: { type: 'user', id: 'alice' }, read_at: null }]);
    const late = await connect('alice');
    expect(await late.ask('join', { ...room('user', 'alice'), since: 0 })).toMatchObject({
      ok: true,
      seq: 1,
      missed: [{ seq: 1, kind: 'run.failed' }],
      truncated: false,
    });
    expect((await alice.get('/api/1.0/notifications/unread-count')).body).toEqual({ unread: 1 });
    const read = await alice.post(`/api/1.0/notifications/${String(told['id'])}/read`).expect(200);
    expect(read.body.read_at).toEqual(expect.any(String));
    expect((await alice.get('/api/1.0/notifications?unread=true')).body).toEqual([]);
    expect((await alice.post('/api/1.0/notifications/read-all')).body).toEqual({ marked: 0 });
  });

  it('of somebody else do not exist, nor do their rooms', async () => {
    const bob = await house.as('bob');
    const [{ id }] = (await alice.get('/api/1.0/notifications')).body as [{ id: string }];
    expect((await bob.get('/api/1.0/notifications')).body).toEqual([]);
    expectProblem(await bob.post(`/api/1.0/notifications/${id}/read`), {
      status: 404,
      code: 'notifications.notification-not-found',
    });
    const socket = await connect('bob');
    for (const forged of [room('user', 'alice'), room('tenant', '2'), room('run', 'x'), room('discussion', 'x')]) {
      expect(await socket.ask('join', forged)).toMatchObject({ ok: false, error: { code: 'not_found' } });
    }
    for (const wrong of [room('admin', '1'), { room: 'user:alice' }, {}, { ...room('user', 'bob'), since: -1 }]) {
      expect(await socket.ask('join', wrong)).toMatchObject({ ok: false, error: { code: 'bad_request' } });
    }
    expect(await socket.ask('subscribe', {})).toMatchObject({ ok: false, error: { code: 'unknown_event' } });
  });

  it('of one kind are collected, after the first', async () => {
    const live = await connect('dora');
    await live.ask('join', room('user', 'dora'));
    for (let count = 0; count < 5; count++) await fact('run.failed', failed('dora', `Task ${count}`));
    await live.next('notification', ({ title }) => title === 'Task 0 failed: no');
    for (let waiting = 0; waiting < 4;) {
      const { rows } = await house.database.admin.query<{ count: number }>(
        "select (data ->> 'count')::integer as count from notifications where room = 'user:dora' and seq is null",
      );
      waiting = rows[0]?.count ?? 0;
    }
    await house.database.admin.query(
      "update notifications set due_at = now() where room = 'user:dora' and seq is null",
    );
    house.ticker.wake('notification-digest');
    const digest = await live.next('notification', ({ seq }) => seq === 2);
    expect(digest).toMatchObject({
      title: expect.stringMatching(/^\d more runs failed$/),
      data: { items: expect.any(Array) },
    });
  });

  it('are as their receiver wishes: of all tasks, and of one', async () => {
    const carol = await house.as('carol');
    expect((await carol.get('/api/1.0/notifications/preferences')).body).toEqual({
      notify_on_failure: null,
      notify_on_success: null,
      digest_seconds: null,
      effective: { notify_on_failure: true, notify_on_success: false, digest_seconds: 300 },
    });
    await carol
      .patch('/api/1.0/notifications/preferences', { notify_on_failure: false, digest_seconds: 0 })
      .expect(200);
    const loud = (await carol.post('/api/scheduled-tasks', TASK).expect(201)).body.id as string;
    const ofTask = `/api/1.0/notifications/preferences/tasks/${loud}`;
    expectProblem(await alice.get(ofTask), { status: 404, code: 'notifications.task-not-found' });
    const { body } = await carol.patch(ofTask, { notify_on_failure: true, notify_on_success: true });
    expect(body.effective).toEqual({ notify_on_failure: true, notify_on_success: true, digest_seconds: 0 });
    const live = await connect('carol');
    await live.ask('join', room('user', 'carol'));
    await fact('run.failed', failed('carol', 'quiet'));
    await fact('run.succeeded', failed('carol', 'quiet'));
    await fact('run.failed', failed('carol', loud));
    await fact('run.succeeded', failed('carol', loud));
    await live.next('notification', ({ seq }) => seq === 2);
    const told = live.heard.filter(({ event }) => event === 'notification').map(({ payload }) => payload['kind']);
    expect(told).toEqual(['run.failed', 'run.succeeded']);
    expectProblem(await carol.patch(ofTask, { digest_seconds: -1 }), {
      status: 422,
      code: 'request.invalid',
      field: 'digest_seconds',
    });
  });

  it('of a tenant are for all of it', async () => {
    const live = await connect('erik');
    expect(await live.ask('join', room('tenant', '1'))).toMatchObject({ ok: true });
    await fact('agent.offline', { agent_id: 'a1', name: 'Agent 1' });
    expect(await live.next('notification')).toMatchObject({ title: 'Agent 1 is offline', room: { type: 'tenant' } });
  });

  it('a reload is once for each operation, and only for those who may', async () => {
    const [one, two] = [await connect('frida'), await connect('frida')];
    expect(await one.ask('reload', { ...room('user', 'frida'), op_id: 'o1' })).toMatchObject({
      error: { code: 'not_joined' },
    });
    for (const socket of [one, two]) await socket.ask('join', room('user', 'frida'));
    const answer = await one.ask('reload', { ...room('user', 'frida'), op_id: 'o1', reason: 'saved' });
    expect(answer).toEqual({ ok: true, seq: 1 });
    expect(await two.next('reload')).toMatchObject({ seq: 1, reason: 'saved', by: 'frida' });
    expect(await two.ask('reload', { ...room('user', 'frida'), op_id: 'o1', reason: 'saved' })).toEqual(answer);
    await one.ask('join', room('tenant', '1'));
    expect(await one.ask('reload', { ...room('tenant', '1'), op_id: 'o2' })).toMatchObject({
      error: { code: 'forbidden' },
    });
    await one.ask('leave', room('user', 'frida'));
    expect(await one.ask('reload', { ...room('user', 'frida'), op_id: 'o3' })).toMatchObject({
      error: { code: 'not_joined' },
    });
  });

  it('begin with the run itself, in the transaction of its end', async () => {
    const gina = await house.as('gina');
    await gina.patch('/api/1.0/notifications/preferences', { notify_on_success: true });
    const live = await connect('gina');
    await live.ask('join', room('user', 'gina'));
    const task = await gina.post('/api/scheduled-tasks', TASK).expect(201);
    const run = await gina.post(`/api/scheduled-tasks/${task.body.id as string}/trigger`);
    expect(run.status).toBeLessThan(300);
    expect(await live.next('notification')).toMatchObject({
      kind: 'run.succeeded',
      title: 'Morning news has run',
      data: { task_id: task.body.id, user_id: 'gina', trigger: 'manual' },
    });
  });
});

describe('webhooks', () => {
  const make = async (body: Payload = {}): Promise<Payload> =>
    (await manager.post('/api/1.0/webhooks', { name: 'mine', url: hook, event_types: ['task.created'], ...body }))
      .body as Payload;

  const newest = async (id: string): Promise<Payload> =>
    (await manager.get(`/api/1.0/webhooks/${id}/deliveries`).expect(200)).body[0] as Payload;
  const settled = async (read: () => Promise<Payload>, holds: (found: Payload) => boolean): Promise<Payload> => {
    for (;;) {
      const found = await read();
      if (holds(found)) return found;
    }
  };

  it('are for managers, and call public addresses only', async () => {
    expectProblem(await alice.get('/api/1.0/webhooks'), { status: 403, code: 'auth.role-required' });
    for (const url of ['http://169.254.169.254/', 'http://[::1]/', 'http://10.0.0.1/', 'https://u:p@example.org/']) {
      expectProblem(await manager.post('/api/1.0/webhooks', { name: 'x', url }), {
        status: 422,
        code: 'notifications.webhook-invalid',
        field: 'url',
      });
    }
    expectProblem(await manager.post('/api/1.0/webhooks', { name: 'x', url: hook, event_types: ['nope'] }), {
      status: 422,
      code: 'notifications.webhook-invalid',
      field: 'event_types',
    });
  });

  it('bring a fact, signed, once; the secret is shown once and stored sealed', async () => {
    const { id, secret } = await make();
    const task = (await alice.post('/api/scheduled-tasks', TASK).expect(201)).body.id as string;
    const { body, headers } = await arrival(({ body: text }) => text.includes(task));
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'task.created',
      data: { task_id: task, user_id: 'alice' },
    });
    expect((await manager.get(`/api/1.0/webhooks/${id}`)).text).not.toContain('whsec_');
    const { rows } = await house.database.admin.query('select secret from webhook_endpoints where id = $1', [id]);
    expect(Buffer.from(rows[0].secret).toString('latin1')).not.toContain(secret.slice(6));
    const logged = await settled(
      () => newest(id as string),
      ({ last_status: answered }) => answered !== null,
    );
    expect(logged).toMatchObject({ id: headers['webhook-id'], type: 'task.created', state: 'delivered' });
    const other = await house.as('max', { tenantId: await house.tenant('other'), roles: ['manager'] });
    expectProblem(await other.get(`/api/1.0/webhooks/${id}`), { status: 404, code: 'notifications.webhook-not-found' });
    await manager.delete(`/api/1.0/webhooks/${id}`).expect(200);
  });

  it('tried by button, rotated with an overlap, sent again', async () => {
    const { id, secret } = await make();
    const test = await manager.post(`/api/1.0/webhooks/${id}/test`).expect(200);
    expect(test.body).toMatchObject({ state: 'delivered', last_status: 204, attempts: 1, type: 'webhook.test' });
    const rotated = (await manager.post(`/api/1.0/webhooks/${id}/rotate-secret`).expect(200)).body;
    expect(rotated.secret).not.toBe(secret);
    const again = await manager.post(`/api/1.0/webhooks/${id}/deliveries/${test.body.id as string}/replay`).expect(200);
    expect(again.body).toMatchObject({ state: 'delivered', type: 'webhook.test' });
    const sent = received.filter(testOf(id));
    expect(sent).toHaveLength(2);
    const { body, headers } = sent[1]!;
    for (const key of [secret, rotated.secret]) {
      expect(new Webhook(key).verify(body, headers as Record<string, string>)).toMatchObject({ type: 'webhook.test' });
    }
    await manager.delete(`/api/1.0/webhooks/${id}`).expect(200);
  });

  it('that fail wait, are parked after a day, and then the webhook is disabled, with a notice', async () => {
    status = 500;
    const { id } = await make();
    const live = await connect('mia', { roles: ['manager'] });
    await live.ask('join', room('user', 'mia'));
    await fact('task.created', { task_id: 't2' });
    await arrival(({ body }) => body.includes('t2'));
    const deliverer = house.app.get(DeliverDue);
    const first = (): Promise<Payload> => newest(id as string);
    expect(await settled(first, ({ last_status: answered }) => answered !== null)).toMatchObject({
      state: 'waiting',
      last_status: 500,
      last_answer: 'thanks',
    });
    await house.database.admin.query(
      `update webhook_endpoints set failing_since = now() - interval '25 h' where id = $1`,
      [id],
    );
    await house.database.admin.query(
      `update webhook_deliveries set give_up_at = now() - interval '1 s', next_attempt_at = now() where endpoint_id = $1`,
      [id],
    );
    // The house delivers by itself too: whoever of the two holds the delivery, its end is waited for.
    await deliverer.run(new Date(Date.now() + 1_000));
    await settled(first, ({ state }) => state === 'parked');
    expect((await manager.get(`/api/1.0/webhooks/${id}`)).body).toMatchObject({
      enabled: false,
      disabled_reason: 'failing',
    });
    house.ticker.wake('outbox-relay');
    expect(await live.next('notification')).toMatchObject({ kind: 'webhook.disabled', data: { webhook_id: id } });
    expectProblem(await manager.post(`/api/1.0/webhooks/${id}/replay-parked`), {
      status: 409,
      code: 'notifications.webhook-disabled',
    });
    status = 204;
    await manager.patch(`/api/1.0/webhooks/${id}`, { enabled: true }).expect(200);
    expect((await manager.post(`/api/1.0/webhooks/${id}/replay-parked`)).body).toEqual({ replayed: 1 });
    await deliverer.run(new Date(Date.now() + 1_000));
    await settled(first, ({ state }) => state === 'delivered');
    await manager.delete(`/api/1.0/webhooks/${id}`);
  });

  it('whose receiver is gone for good are disabled at once', async () => {
    status = 410;
    const { id } = await make();
    await manager.post(`/api/1.0/webhooks/${id}/test`).expect(200);
    expect((await manager.get(`/api/1.0/webhooks/${id}`)).body).toMatchObject({ disabled_reason: 'gone' });
    await manager.delete(`/api/1.0/webhooks/${id}`);
  });

  it('speak Slack, from the fact on, and no name in it is markup', async () => {
    const { id, secret } = await make({ target: 'slack', event_types: ['task.failing', 'task.updated'] });
    expect(secret).toBeNull();
    await manager.post(`/api/1.0/webhooks/${id}/test`).expect(200);
    const test = await arrival(testOf(id));
    expect(JSON.parse(test.body)).toEqual({ text: expect.stringContaining('A test of this webhook.') });
    await fact('task.failing', { task_id: 't3', task_title: '<!channel> & co', failures_in_a_row: 3 });
    const told = await arrival(({ body, headers }) => body.includes('t3') && headers['title'] === undefined);
    expect(told.headers['content-type']).toBe('application/json');
    expect(JSON.parse(told.body)).toEqual({
      text: '&lt;!channel&gt; &amp; co has failed 3 times in a row\ntask_id t3',
    });
    await manager.delete(`/api/1.0/webhooks/${id}`);
  });

  it('speak ntfy: the operator’s line of settings is a webhook like any other', async () => {
    await fact('agent.offline', { agent_id: 'a-ntfy', name: 'Müller’s agent' });
    const told = await arrival(({ body, headers }) => body.includes('a-ntfy') && headers['title'] !== undefined);
    expect(told.headers).toMatchObject({ title: 'Horarium: agent.offline', tags: 'warning', priority: '4' });
    expect(told.body).toBe('Müller’s agent is offline\nagent_id a-ntfy');
    const test = await manager.post('/api/1.0/webhooks/house-ntfy/test').expect(200);
    expect(test.body.state).toBe('delivered');
  });

  it('write mail, which is tried again where the mail server asks for it', async () => {
    const test = await manager.post('/api/1.0/webhooks/house-mail/test').expect(200);
    expect(test.body).toMatchObject({ state: 'delivered', last_answer: '250 taken' });
    const sent = post.mails.find(({ data }) => data.includes(test.body.id as string))!;
    expect(sent).toMatchObject({ from: 'horarium@localhost', to: ['ops@example.org'] });
    expect(sent.data).toContain('Subject: [Horarium] A test of this webhook.');

    post.refusal = '451 not now';
    await fact('agent.offline', { agent_id: 'a-mail', name: 'Agent\r\nBcc: all@example.org' });
    const delivery = (): Promise<Payload> =>
      settled(
        async () => {
          const { body } = await manager.get('/api/1.0/webhooks/house-mail/deliveries').expect(200);
          return (body as Payload[]).find((one) => JSON.stringify(one).includes('a-mail')) ?? {};
        },
        ({ attempts }) => attempts === 1 || attempts === 2,
      );
    expect(await delivery()).toMatchObject({ state: 'waiting', last_error: expect.stringContaining('451 not now') });
    post.refusal = null;
    await house.database.admin.query(
      "update webhook_deliveries set next_attempt_at = now() where endpoint_id = 'house-mail' and state = 'waiting'",
    );
    house.ticker.wake('webhook-deliverer');
    await settled(delivery, ({ state }) => state === 'delivered');
    const mail = post.mails.find(({ data }) => data.includes('a-mail'))!;
    expect(mail.to).toEqual(['ops@example.org']);
    expect(mail.data.split('\n\n')[0]).not.toMatch(/^Bcc:/m);
    expect(mail.data).toContain('event: agent.offline');
  });
});
