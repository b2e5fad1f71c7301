// Work over the port for agents: who gets a run, what it may say of it, and a machine in a process of its own that does one.
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Work } from '../../src/remote-agent/ports/work';
import { type AgentHouse, agentHouse, type Enrolled } from '../support/agents/agent-house';
import { appears, isGone, untilGone } from '../support/agents/appears';
import { assistantsFile } from '../support/agents/assistants-file';
import type { Client } from '../support/app';
import { horarium } from '../support/cli';
import { TASK } from '../support/http';
import { RunSignals } from '../support/run-signals';
import { ServerProcess } from '../support/server-process';

// A process of its own compiles all that it loads: slow on a machine that does other things.
jest.setTimeout(180_000);

let folder: string;
let house: AgentHouse;
let signals: RunSignals;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'horarium-work-'));
  const pull = { driver: 'pull', lease_seconds: 5 };
  const file = assistantsFile(folder, {
    build: { ...pull, labels: ['linux', 'site:lisbon'] },
    any: { ...pull, labels: [] },
    script: { ...pull, labels: [] },
    patient: { ...pull, labels: ['patient'] },
    tokens: pull,
  });
  house = await agentHouse({ HORARIUM_ASSISTANTS_FILE: file, EVIDENCE_MAX_FILE_MIB: '1' });
  signals = await RunSignals.of(house.app.database);
});
afterAll(async () => {
  await ServerProcess.endAll();
  await house.close();
  rmSync(folder, { recursive: true });
});

/** A task of `assistant`, started now by its owner; answers its id. */
async function task(assistant: string, prompt = 'hello'): Promise<string> {
  const alice = await house.app.as('alice');
  const { body } = await alice.post('/api/scheduled-tasks', { ...TASK, assistant_id: assistant, prompt }).expect(201);
  await alice.post(`/api/scheduled-tasks/${body.id}/trigger`).expect(200);
  return body.id as string;
}

async function agentRun(taskId: string): Promise<Record<string, unknown> & { id: string }> {
  const alice = await house.app.as('alice');
  const { body } = await alice.get(`/api/scheduled-tasks/${taskId}/runs`).expect(200);
  const [{ run_id: id }] = body as [{ run_id: string }];
  return (await alice.get(`/api/agent-runs/${id}`).expect(200)).body as never;
}

/** A round that begins now: one that was under way has looked already. */
async function rightsLooked(): Promise<void> {
  const looked = house.app.ticker.ticked('agent-rights');
  house.app.ticker.wake('agent-rights');
  await looked;
}

/** Two agents were let in and wait for runs. */
function bothAsked(): Promise<void> {
  const work = house.app.app.get<Work>(Work);
  const fetch = work.fetch.bind(work);
  let asked = 0;
  return new Promise((resolve) => {
    const spy = jest.spyOn(work, 'fetch').mockImplementation((wish) => {
      const waiting = fetch(wish);
      asked += 1;
      if (asked === 2) {
        spy.mockRestore();
        resolve();
      }
      return waiting;
    });
  });
}

const labelled = async (...labels: string[]) => house.enrol({ token: await house.token({ labels }) });
const claim = (identity: Enrolled, assistants: string[], wait = 0) =>
  house.ask('/agent/v1/runs/claim', { identity, body: { assistants, wait_seconds: wait } });
const about = (identity: Enrolled, run: Record<string, unknown>, what: string, more: object = {}) =>
  house.ask(`/agent/v1/runs/${String(run.run_id)}/${what}`, { identity, body: { run_token: run.run_token, ...more } });

describe('a run', () => {
  it('goes to an agent with all labels, and to no other', async () => {
    const [one, other] = [await labelled('linux', 'site:lisbon', 'gpu'), await labelled('linux')];
    const id = await task('build', 'Build it.');
    expect((await claim(other, ['build'])).status).toBe(204);
    expect((await claim(one, ['any'])).status).toBe(204);
    const { status, body } = await claim(one, ['any', 'build'], 20);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        assistant: 'build',
        prompt: 'Build it.',
        tenant_id: 1,
        user_id: 'alice',
        attempt: 1,
        lease_sec: expect.closeTo(5, 0),
        report_limit_bytes: 262_144,
        metadata: expect.objectContaining({ scheduled_trigger: 'manual', scheduled_task_id: id }),
      }),
    ]);
    expect((await claim(one, ['build'])).status).toBe(204);
    const kept = await about(one, body, 'lease');
    expect([kept.status, kept.body]).toEqual([200, expect.objectContaining({ cancelled: null })]);
    const usage = { input_tokens: 10, output_tokens: 5 };
    expect((await about(one, body, 'complete', { output: 'Built.\nIt works.', exit_code: 0, usage })).status).toBe(204);
    await signals.until(id, 'success');
    expect(await agentRun(id)).toMatchObject({ status: 'success', output: 'Built.\nIt works.', exit_code: 0 });
    expect((await about(one, body, 'complete', { output: 'Again.' })).body.code).toBe('agent-run.run-not-held');
  });

  it('is not for agents of another tenant, nor for tokens', async () => {
    const id = await task('any');
    const tenant = await house.app.tenant('elsewhere');
    const stranger = await house.app.as('otto', { tenantId: tenant, roles: ['operator'] });
    const token = (await stranger.post('/api/1.0/remote-agents/enrollment-tokens', {}).expect(201)).body
      .token as string;
    expect((await claim(await house.enrol({ token }), ['any'])).status).toBe(204);
    const refused = await house.operator.post('/api/agent-runs/claim', { assistant_ids: ['any'] }).expect(422);
    expect(refused.body.detail).toMatch(/enrolled machines/);
    await house.operator.post('/api/agent-runs/claim', { assistant_ids: ['tokens'] }).expect(204);
    const agent = await house.enrol();
    expect((await claim(agent, ['tokens'])).status).toBe(204);
    const { body } = await claim(agent, ['any']);
    await about(agent, body, 'complete', { error: 'No.' });
    await signals.until(id, 'failed');
  });

  it('is spoken of by the agent that has it, on its port, and by nobody else', async () => {
    const [holder, other] = [await house.enrol(), await house.enrol()];
    const id = await task('any');
    const { body } = await claim(holder, ['any'], 20);
    for (const what of ['lease', 'complete']) {
      expect((await about(other, body, what)).body.code).toBe('agent-run.run-not-held');
    }
    for (const what of ['heartbeat', 'complete']) {
      const answer = await house.operator
        .post(`/api/agent-runs/${String(body.run_id)}/${what}`, {})
        .set('Authorization', `Bearer ${String(body.run_token)}`);
      expect([answer.status, answer.body.code]).toEqual([409, 'agent-run.run-not-held']);
    }
    const onMain = await house.operator.post('/agent/v1/runs/claim', { assistants: ['any'] }).expect(401);
    expect(onMain.body.code).toBe('remote-agent.wrong-listener');
    expect((await about(holder, body, 'complete', { result: 'Mine.' })).status).toBe(204);
    await signals.until(id, 'success');
  });

  it('is not given to who was disabled, or relabelled, while it waited', async () => {
    const [disabled, relabelled] = [await labelled('patient'), await labelled('patient')];
    const asked = bothAsked();
    const waiting = [claim(disabled, ['patient'], 20), claim(relabelled, ['patient'], 20)];
    const path = (agent: Enrolled): string => `/api/1.0/remote-agents/${agent.id}`;
    await asked;
    await house.operator.patch(path(disabled), { disabled: true }).expect(200);
    await house.operator.patch(path(relabelled), { labels: ['other'] }).expect(200);
    await rightsLooked();
    const id = await task('patient');
    // Both are asked first, being there first; both give it back.
    expect((await waiting[0]!).body.code).toBe('remote-agent.agent-disabled');
    expect((await waiting[1]!).status).toBe(204);
    const right = await labelled('patient');
    const { status, body } = await claim(right, ['patient'], 20);
    expect([status, body.attempt]).toEqual([200, 1]);
    await about(right, body, 'complete', { result: 'Done.' });
    await signals.until(id, 'success');
  });

  it('is asked for in words that are understood', async () => {
    const agent = await house.enrol();
    for (const body of [{}, { assistants: [] }, { assistants: ['x'], wait_seconds: 31 }, { assistants: 'x' }]) {
      expect((await house.ask('/agent/v1/runs/claim', { identity: agent, body })).status).toBe(422);
    }
    const run = { run_id: 'none', run_token: 'hrt_none' };
    expect((await about(agent, run, 'lease')).status).toBe(409);
    expect((await about(agent, run, 'complete', { status: 'fine' })).status).toBe(422);
    expect((await about(agent, { ...run, run_token: 'a b' }, 'lease')).status).toBe(422);
  });
});

describe('evidence', () => {
  const bytes = randomBytes(700_000);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const form = (fields: Record<string, string>, file = house.folder.write(bytes)): string[] => [
    ...Object.entries(fields).flatMap(([name, value]) => ['-F', `${name}=${value}`]),
    ...['-F', `file=@${file};filename=report.txt`],
  ];
  const send = (identity: Enrolled, fields: Record<string, string>, file?: string) =>
    house.ask('/agent/v1/evidence', { identity, more: form(fields, file) });
  const project = async (client: Client): Promise<string> =>
    (await client.post('/api/1.0/projects', { name: 'CMMC' }).expect(201)).body.id as string;
  const kept = (): string[] =>
    readdirSync(join(house.app.dataDir, 'evidence'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.includes('evidence-'),
    );

  it('comes from an agent, is what was sent, and says who brought it', async () => {
    const [agent, id] = [await house.enrol(), await project(house.operator)];
    const { status, body } = await send(agent, { project_id: id, sha256 });
    expect([status, body]).toEqual([201, expect.objectContaining({ name: 'report.txt', size_bytes: 700_000, sha256 })]);
    const shown = await house.operator.get(`/api/1.0/evidence/${String(body.evidence_id)}`).expect(200);
    expect(shown.body).toMatchObject({ source: 'agent', created_by: `agent:${agent.id}`, project_id: id, sha256 });
  });

  it('is not kept when it is not what was announced, too large, or for a project of others', async () => {
    const [agent, id] = [await house.enrol(), await project(house.operator)];
    const tenant = await house.app.tenant('others');
    const theirs = await project(await house.app.as('otto', { tenantId: tenant, roles: ['operator'] }));
    const before = kept().length;
    const wrong = await send(agent, {
      project_id: id,
      sha256: sha256.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
    });
    expect([wrong.status, wrong.body.code]).toEqual([422, 'remote-agent.checksum-mismatch']);
    expect((await send(agent, { project_id: theirs, sha256 })).body.code).toBe('evidence.project-not-found');
    expect((await send(agent, { sha256 })).status).toBe(422);
    expect((await send(agent, { project_id: id, sha256: 'abc' })).status).toBe(422);
    expect((await send(agent, { project_id: id, tenant_id: '2' })).status).toBe(422);
    const large = house.folder.write(Buffer.alloc(1_100_000));
    const refused = await send(agent, { project_id: id }, large);
    expect([refused.status, refused.body.code]).toEqual([413, 'evidence.file-too-large']);
    expect(kept()).toHaveLength(before);
    const onMain = house.operator.post('/agent/v1/evidence').attach('file', bytes, 'x').expect(401);
    expect((await onMain).body.code).toBe('remote-agent.wrong-listener');
  });

  it('is sent by `horarium agent send`', async () => {
    const env = { HORARIUM_DATA_DIR: mkdtempSync(join(folder, 'sender-')) };
    const cli = horarium(env);
    const id = await project(house.operator);
    expect((await cli('agent', 'send', 'x', '--project', id)).stderr).toContain('not enrolled');
    await cli('agent', 'enroll', '--server', house.app.url, '--token', await house.token());
    const file = house.folder.write(bytes);
    const sent = await cli('agent', 'send', file, '--project', id, '--name', 'Größe "1".txt', '--json');
    expect([sent.stderr, JSON.parse(sent.stdout)]).toEqual([
      '',
      expect.objectContaining({ name: 'Größe _1_.txt', size_bytes: 700_000, sha256 }),
    ]);
    const nothing = await cli('agent', 'send', house.folder.write(''), '--project', id);
    expect(nothing.stdout).toMatch(/\(0 bytes\) is evidence/);
    expect((await cli('agent', 'send', '/no/such/file', '--project', id)).stderr).toContain('ENOENT');
    expect((await cli('agent', 'send', file)).code).toBe(2);
    expect((await cli('agent', 'send', file, '--project', 'project-none')).code).toBe(4);
    expect((await cli('agent', 'send', house.folder.write(Buffer.alloc(1_100_000)), '--project', id)).stderr).toMatch(
      /larger than the limit/,
    );
  });
});

describe('horarium agent run', () => {
  // Each start compiles the program anew, which is most of what these tests cost: three starts are enough.
  let home: string;
  let marks: string;
  let env: Record<string, string>;
  let agent: ServerProcess;

  const start = async (): Promise<ServerProcess> => {
    const started = ServerProcess.program(['agent', 'run'], { cwd: home, env });
    await started.says(/fetching runs for .*script/, 'stderr');
    return started;
  };
  const mark = (name: string): Promise<string> => appears(join(marks, name));
  const traces = (): string[] => readdirSync(join(home, 'data', 'running'));

  beforeAll(async () => {
    home = mkdtempSync(join(folder, 'machine-'));
    // Where the program, who is somebody else, leaves its marks.
    marks = join(home, 'marks');
    mkdirSync(marks);
    chmodSync(marks, 0o777);
    const shell = (script: string) => ({
      command: ['/bin/sh', '-c', `cd ${marks}; ${script}`],
      prompt: 'stdin',
      writable: [marks],
    });
    env = {
      HORARIUM_DATA_DIR: join(home, 'data'),
      HORARIUM_ASSISTANTS_FILE: assistantsFile(home, {
        any: shell('cat; echo; echo "$HORARIUM_TRIGGER"; head -c 600000 /dev/zero'),
        // The tests of these say in the prompt what is done.
        script: shell('eval "$(cat)"'),
      }),
    };
    const enrolment = ['--server', house.app.url, '--token', await house.token()];
    expect(await horarium(env)('agent', 'enroll', ...enrolment)).toMatchObject({ code: 0 });
    agent = await start();
  });

  it('runs a scheduled task in a process of its own; its output is read at the server', async () => {
    const alice = await house.app.as('alice');
    const prompt = 'Say `hello`; $(exit 3) && "quotes"';
    const once = { schedule_type: 'once', schedule_spec: { run_at: new Date(Date.now() + 1_500).toISOString() } };
    const { body } = await alice.post('/api/scheduled-tasks', { ...TASK, ...once, assistant_id: 'any', prompt });
    await signals.until(body.id as string, 'success');
    const run = await agentRun(body.id as string);
    expect(run).toMatchObject({ status: 'success', exit_code: 0, output_truncated: true });
    expect((run.output as string).slice(0, 100)).toContain(`${prompt}\nscheduled\n`);
  });

  it('ends a program, and what it has started, when its run is cancelled', async () => {
    const id = await task('script', 'sleep 1000 & echo $! > child; echo $$ > cancelled; wait');
    const pids = [Number(await mark('child')), Number(await mark('cancelled'))];
    const alice = await house.app.as('alice');
    await alice.post(`/api/agent-runs/${(await agentRun(id)).id}/cancel`).expect(200);
    await signals.until(id, 'interrupted');
    for (const pid of pids) await untilGone(pid);
  });

  it('finishes what it has when it is told to stop', async () => {
    const id = await task('script', 'echo $$ > finishing; until [ -e go ]; do sleep 0.1; done; echo finished');
    await mark('finishing');
    agent.signal('SIGTERM');
    writeFileSync(join(marks, 'go'), 'go');
    expect(await agent.ended).toMatchObject({ code: 0, stdout: 'Stopped.\n' });
    await signals.until(id, 'success');
    expect(await agentRun(id)).toMatchObject({ output: 'finished\n' });
    expect(traces()).toEqual([]);
  });

  it('ends what a killed one has left behind, runs its run again, and ends what it has when it is told twice', async () => {
    const killed = await start();
    const id = await task('script', '[ -e killed ] && { echo again; exit; }; echo $$ > killed; sleep 1000 & wait');
    const pid = Number(await mark('killed'));
    await killed.end('SIGKILL');
    expect(isGone(pid)).toBe(false);
    agent = await start();
    await untilGone(pid);
    await signals.until(id, 'success');
    expect(await agentRun(id)).toMatchObject({ output: 'again\n' });

    const other = await task('script', 'echo $$ > hurried; sleep 1000 & wait');
    const hurried = Number(await mark('hurried'));
    agent.signal('SIGTERM');
    agent.signal('SIGINT');
    expect((await agent.ended).code).toBe(0);
    await untilGone(hurried);
    await signals.until(other, 'interrupted');
  });
});
