import { toldBy, toldIn } from '../../../src/agent-run/domain/told-result';

const NOW = new Date('2026-12-01T08:00:00Z');
const inOutput = (output: string) => toldIn(output, output.trimEnd().split('\n').at(-1) ?? '', NOW);

describe('the last line of a program', () => {
  test('is its result when it is one JSON object that says so', () => {
    const line = {
      result: 'done',
      usage: { input_tokens: 10, output_tokens: 5, cost_usd: 0.01 },
      agent_session: 's-1',
    };
    expect(inOutput(`thinking\n{"not": "this"}\n${JSON.stringify(line)}\n`)).toEqual({
      result: 'done',
      error: null,
      reason: null,
      retryAt: null,
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15, costUsd: 0.01 },
      agentSession: 's-1',
    });
  });

  test.each(['plain text', '{"colour": "red"}', '{"result": ', '[1, 2]', '"result"', '', '{}', 'null'])(
    '%j is an answer, not a result',
    (line) => expect(inOutput(`first\n${line}`)).toBeNull(),
  );

  test('an error is a failure, whatever the exit code', () => {
    expect(inOutput('{"error": "no such file"}')).toMatchObject({ error: 'no such file', result: null });
    expect(inOutput('{"error": {"message": "quota"}, "result": "half"}')).toMatchObject({
      error: 'quota',
      result: 'half',
    });
    expect(inOutput('{"is_error": true, "result": "Credit balance is too low"}')).toMatchObject({
      error: 'Credit balance is too low',
    });
    for (const nothing of ['null', '""', 'false'])
      expect(inOutput(`{"result": "x", "error": ${nothing}}`)?.error).toBeNull();
  });

  test('a limit of its provider, with the moment when it is worth trying again', () => {
    const at = (fields: object) => toldBy({ rate_limited: true, ...fields }, NOW);
    expect(at({})).toMatchObject({
      reason: 'rate_limited',
      retryAt: null,
      error: expect.stringContaining('rate limit'),
    });
    expect(at({ retry_at: '2026-12-01T09:00:00Z' })?.retryAt).toEqual(new Date('2026-12-01T09:00:00Z'));
    expect(at({ retry_at: 1_796_119_200 })?.retryAt).toEqual(new Date('2026-12-01T10:00:00Z'));
    expect(at({ retry_after_seconds: 90 })?.retryAt).toEqual(new Date('2026-12-01T08:01:30Z'));
    expect(at({ retry_at: 'soon' })?.retryAt).toBeNull();
  });

  test('a question to a person', () => {
    expect(toldBy({ input_needed: true, error: 'Which branch?' }, NOW)).toMatchObject({
      reason: 'input_needed',
      error: 'Which branch?',
    });
    expect(toldBy({ input_needed: true }, NOW)?.error).toMatch('nobody was there');
  });

  test('what cannot be stored or counted is not taken', () => {
    expect(
      toldBy({ result: 'a\0b', usage: { input_tokens: -1, output_tokens: 1.5 }, session_id: 'x'.repeat(600) }, NOW),
    ).toEqual({ result: 'a\uFFFDb', error: null, reason: null, retryAt: null, usage: null, agentSession: null });
    expect(toldBy({ result: { rows: 3 } }, NOW)?.result).toBe('{"rows":3}');
  });
});

describe('as well-known agents say it', () => {
  test('claude -p --output-format json', () => {
    const printed = {
      type: 'result',
      subtype: 'success',
      is_error: false,
      duration_ms: 2314,
      num_turns: 1,
      result: 'Four.',
      session_id: '7c2d6c54-0d3c-4f43-9bd8-5b0c0a2e5c11',
      total_cost_usd: 0.0123,
      usage: { input_tokens: 3, cache_creation_input_tokens: 100, cache_read_input_tokens: 900, output_tokens: 7 },
    };
    expect(inOutput(JSON.stringify(printed))).toEqual({
      result: 'Four.',
      error: null,
      reason: null,
      retryAt: null,
      usage: { inputTokens: 1003, outputTokens: 7, totalTokens: 1010, costUsd: 0.0123 },
      agentSession: '7c2d6c54-0d3c-4f43-9bd8-5b0c0a2e5c11',
    });
  });

  test('codex exec --json', () => {
    const events = [
      { type: 'thread.started', thread_id: '0199a213-81c0-7800-8aa1-bbab2a035a53' },
      { type: 'turn.started' },
      { type: 'item.completed', item: { id: 'item_0', type: 'reasoning', text: 'hm' } },
      { type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text: 'Four.' } },
      { type: 'turn.completed', usage: { input_tokens: 24763, cached_input_tokens: 24448, output_tokens: 122 } },
    ];
    expect(inOutput(events.map((event) => JSON.stringify(event)).join('\n'))).toMatchObject({
      result: 'Four.',
      error: null,
      usage: { inputTokens: 24763, outputTokens: 122 },
      agentSession: '0199a213-81c0-7800-8aa1-bbab2a035a53',
    });
    const failed = [...events.slice(0, 2), { type: 'turn.failed', error: { message: 'stream disconnected' } }];
    expect(inOutput(failed.map((event) => JSON.stringify(event)).join('\n'))).toMatchObject({
      error: 'stream disconnected',
    });
  });

  test('gemini -p --output-format json, on many lines', () => {
    const printed = {
      response: 'Four.',
      stats: { models: { 'gemini-2.5-pro': { tokens: { prompt: 100, candidates: 5, total: 130 } } } },
    };
    expect(inOutput(JSON.stringify(printed, null, 2))).toMatchObject({
      result: 'Four.',
      usage: { inputTokens: 100, outputTokens: 5, totalTokens: 130 },
    });
  });

  test('an answer of JSON lines stays an answer', () => {
    expect(inOutput('{"name": "a"}\n{"name": "b"}\n')).toBeNull();
  });
});
