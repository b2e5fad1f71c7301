import { LaunchFailedError } from '../../../src/agent-run/domain/errors';
import type { RunEnd } from '../../../src/agent-run/domain/run-end';
import { TestAssistant, TEST_PROMPT } from '../../../src/agent-run/usecases/test-assistant';
import { saying } from '../../support/fakes/agent-run-builder';
import { agentRuns, countedIds } from '../../support/fakes/agent-run-parts';

async function report(end: RunEnd | Error) {
  const { assistants, drivers, driver } = agentRuns();
  if (end instanceof Error) driver.refusal = end;
  const start = driver.start.bind(driver);
  driver.start = async (launch) => {
    expect(launch.prompt).toBe(TEST_PROMPT);
    const started = await start(launch);
    driver.end(launch.requestId, end as RunEnd);
    return started;
  };
  return new TestAssistant(assistants, drivers, countedIds()).run('default');
}

test('an assistant that answers works', async () => {
  expect(await report(saying('OK'))).toEqual({
    assistantId: 'default',
    works: true,
    answer: 'OK',
    findings: [
      { fine: true, what: 'there' },
      { fine: true, what: 'It answered a tiny prompt.' },
    ],
  });
});

test('one that cannot be started says why', async () => {
  const { works, findings } = await report(new LaunchFailedError('no program'));
  expect(works).toBe(false);
  expect(findings).toContainEqual({ fine: false, what: 'no program' });
});

test.each([
  'Invalid API key · Please run /login',
  'Error: 401 Unauthorized',
  'Not logged in',
  'Please set an Auth method',
])('%j: a hint how to log in', async (text) => {
  const end = saying('', { status: 'error', error: 'failed', errorOutput: { text, droppedBytes: 0 } });
  expect((await report(end)).findings.at(-1)?.what).toMatch(/not to be logged in: log it in as the user/);
});

test('one that fails otherwise gets no such hint; one that says nothing is told so', async () => {
  const crash = saying('', { status: 'error', error: 'segmentation fault' });
  expect((await report(crash)).findings.map(({ what }) => what)).toEqual(['there', 'segmentation fault']);
  expect((await report(saying(' \n'))).findings.at(-1)).toMatchObject({ fine: false });
});

test('an unknown assistant is refused with those that are known', async () => {
  const { assistants, drivers } = agentRuns();
  await expect(new TestAssistant(assistants, drivers, countedIds()).run('x')).rejects.toThrow('default, other');
});
