// Outbound adapter, fills AssistantDriver: a web service that is posted each run, signed as Standard Webhooks are. It answers
// with the result at once, or with 202 and reports later (POST /api/agent-runs/{id}/complete). What it is told is in
// http/run-message.ts, what its answer means in http/answer.ts.
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock';
import { DestinationRefusedError, NoAnswerError } from '../../platform/http/errors';
import type { OutboundHttp } from '../../platform/http/outbound-http';
import { settingsOf, type Assistant } from '../domain/assistant';
import { LaunchFailedError } from '../domain/errors';
import { bareEnd } from '../domain/run-end';
import type { AssistantDriver, Finding, Launch, Started } from '../ports/assistant-driver';
import type { OutsideRuns } from '../ports/outside-runs';
import { meaningOf, type Meaning } from './http/answer';
import { cancelMessage, runMessage, signed } from './http/run-message';
import { OutsideDriver } from './outside-driver';

export interface HttpDriverOptions {
  readonly http: Pick<OutboundHttp, 'send' | 'refusal'>;
  readonly outside: OutsideRuns;
  readonly clock: Clock;
  /** The operator's environment, which holds the signing secrets. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where services find this house. */
  readonly publicUrl: string;
  /** Before each further attempt at a service that has certainly not taken the run. */
  readonly retryAfterMs: readonly number[];
}

const MOST_ANSWER_BYTES = 4 * 1024 * 1024;

export class HttpDriver extends OutsideDriver implements AssistantDriver {
  constructor(private readonly options: HttpDriverOptions) {
    super(options.outside);
  }

  async cancel(requestId: string, reason: string, launch?: Launch): Promise<void> {
    const { state } = await this.outside.state(requestId);
    await this.outside.cancel(requestId, reason);
    if (launch === undefined || state !== 'running') return;
    // For services that like to know. The run is over here, whatever they answer.
    const secret = this.secretOf(launch.assistant);
    if (secret === undefined) return;
    const body = cancelMessage(launch, reason, this.options.clock.now());
    this.post(launch, `${launch.agentRunId}-cancel`, body, secret).catch(() => undefined);
  }

  inspect(assistant: Assistant): Promise<Finding[]> {
    const { url, secret } = settingsOf(assistant, 'http');
    const refusal = this.options.http.refusal(url);
    const isSet = this.secretOf(assistant) !== undefined;
    return Promise.resolve([
      { fine: refusal === undefined, what: refusal ?? `Runs are posted to ${url}.` },
      { fine: isSet, what: isSet ? `${secret} holds the signing secret.` : missing(secret) },
    ]);
  }

  protected async handOver(launch: Launch): Promise<Started> {
    const { assistant, agentRunId, requestId, owner } = launch;
    const { outside } = this;
    const { publicUrl, clock } = this.options;
    const secret = this.secretOf(assistant);
    if (secret === undefined) throw new LaunchFailedError(missing(settingsOf(assistant, 'http').secret));
    const { timeoutSeconds } = assistant;
    const times = { leaseSeconds: null, claimTimeoutSeconds: timeoutSeconds, timeoutSeconds };
    // Before the service hears of the run: it may report before its answer has arrived.
    const offer = { agentRunId, requestId, owner, assistantId: assistant.id, kind: 'handed-over', ...times } as const;
    const token = await outside.offer(offer);
    if (token === null) return this.follow(launch);
    const meaning = await this.delivered(launch, runMessage(launch, { token, publicUrl }, clock.now()), secret);
    if (meaning.is === 'refused') {
      await outside.withdraw(agentRunId);
      throw new LaunchFailedError(meaning.why);
    }
    if (meaning.is === 'ended') await outside.fail(agentRunId, meaning.end);
    return this.follow(launch);
  }

  /** Again only as long as it is certain that the service has not taken the run. */
  private async delivered(launch: Launch, body: string, secret: string): Promise<Meaning> {
    for (let attempt = 0; ; attempt++) {
      const meaning = await this.attempt(launch, body, secret);
      const patience = this.options.retryAfterMs[attempt];
      if (meaning.is !== 'not-taken') return meaning;
      if (patience === undefined) return meaning.then;
      await pause(patience);
    }
  }

  private async attempt(launch: Launch, body: string, secret: string): Promise<Meaning> {
    const { now } = { now: this.options.clock.now() };
    try {
      return meaningOf(await this.post(launch, launch.agentRunId, body, secret), now);
    } catch (error) {
      if (error instanceof DestinationRefusedError) return { is: 'refused', why: error.message };
      if (!(error instanceof NoAnswerError)) throw error;
      const why = `${settingsOf(launch.assistant, 'http').url} did not take the run: ${error.message}`;
      if (!error.sent) return { is: 'not-taken', then: { is: 'refused', why } };
      if (error.reason === 'answered-too-much' || error.reason === 'redirects') {
        return { is: 'ended', end: bareEnd('error', `The service's answer cannot be used: ${error.message}`) };
      }
      // It may work on the run, and report yet. Its place is kept until the assistant's time is over.
      return { is: 'taken' };
    }
  }

  private post(launch: Launch, id: string, body: string, secret: string): ReturnType<OutboundHttp['send']> {
    const { url, answerSeconds } = settingsOf(launch.assistant, 'http');
    return this.options.http.send({
      url,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...signed(id, body, secret, this.options.clock.now()) },
      body,
      timeoutMs: answerSeconds * 1_000,
      maxAnswerBytes: MOST_ANSWER_BYTES,
    });
  }

  private secretOf(assistant: Assistant): string | undefined {
    return this.options.environment[settingsOf(assistant, 'http').secret] || undefined;
  }
}

function missing(secret: string): string {
  return `${secret}, which is to hold the signing secret, is not set where Horarium was started.`;
}
