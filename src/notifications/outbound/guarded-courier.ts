// Outbound adapter. Brings deliveries over the guarded way out, or by mail through the operator's mail server.
import { randomBytes } from 'node:crypto';
import type { Transporter } from 'nodemailer';
import { DestinationRefusedError, NoAnswerError } from '../../platform/http/errors';
import type { OutboundAnswer, OutboundHttp } from '../../platform/http/outbound-http';
import type { Attempt, Delivery } from '../domain/delivery';
import type { Endpoint, Secrets, Target } from '../domain/endpoint';
import type { Courier } from '../ports/courier';
import { type HttpMessage, mail, ntfy, signed, slack } from './messages';

export interface MailSettings {
  readonly url: string;
  readonly from: string;
}

const TIMEOUT_MS = 15_000;
const KEPT_OF_ANSWER = 1_024;
const SECRET_BYTES = 24;

type Ended = Omit<Attempt, 'durationMs'>;
const NOTHING: Ended = { ok: false, status: null, error: null, answer: null, retryAfterMs: null, gone: false };

export class GuardedCourier implements Courier {
  private transport: Promise<Transporter> | undefined;

  constructor(
    private readonly http: OutboundHttp,
    private readonly mails: MailSettings | undefined,
  ) {}

  refusal(target: Target, url: string): string | undefined {
    if (target !== 'mail') return this.http.refusal(url);
    return this.mails === undefined ? 'no mail can be sent from here: HORARIUM_SMTP_URL is not set' : undefined;
  }

  newSecret(): string {
    return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  }

  async bring(endpoint: Endpoint, secrets: Secrets | null, delivery: Delivery, now: Date): Promise<Attempt> {
    const began = performance.now();
    const ended = await this.send(endpoint, secrets, delivery, now).catch((error: unknown): Ended => ({
      ...NOTHING,
      error: reason(error),
    }));
    return { ...ended, durationMs: Math.round(performance.now() - began) };
  }

  private async send(endpoint: Endpoint, secrets: Secrets | null, delivery: Delivery, now: Date): Promise<Ended> {
    switch (endpoint.target) {
      case 'mail':
        return this.mail(endpoint, delivery);
      case 'slack':
        return this.post(endpoint, slack(delivery));
      case 'ntfy':
        return this.post(endpoint, ntfy(delivery));
      case 'signed':
        if (secrets === null) return { ...NOTHING, error: 'The webhook has no secret; rotate it.' };
        return this.post(endpoint, signed(delivery, secrets, now));
    }
  }

  /** Redirects are not followed: the address that was given is the one that is called. */
  private async post({ url }: Endpoint, { headers, body }: HttpMessage): Promise<Ended> {
    const answer = await this.http.send({
      url,
      method: 'POST',
      headers,
      body,
      timeoutMs: TIMEOUT_MS,
      maxAnswerBytes: KEPT_OF_ANSWER,
      whenTooLong: 'cut',
    });
    const ok = answer.status >= 200 && answer.status < 300;
    return {
      ok,
      status: answer.status,
      error: ok ? null : `The receiver answered ${answer.status}.`,
      answer: printable(answer.body),
      retryAfterMs: retryAfter(answer),
      gone: answer.status === 410,
    };
  }

  private async mail({ url }: Endpoint, delivery: Delivery): Promise<Ended> {
    const { mails } = this;
    if (mails === undefined) return { ...NOTHING, error: 'HORARIUM_SMTP_URL is not set.' };
    this.transport ??= import('nodemailer').then(({ createTransport }) =>
      // The operator's own server, named in a setting: it may be on this very machine.
      createTransport({ url: mails.url, connectionTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }),
    );
    const sent = (await (
      await this.transport
    ).sendMail({
      from: mails.from,
      to: url.replace(/^mailto:/i, ''),
      messageId: `<${delivery.id}@horarium>`,
      ...mail(delivery),
    })) as { response?: string };
    return { ...NOTHING, ok: true, answer: sent.response ?? null };
  }
}

function reason(error: unknown): string {
  if (error instanceof DestinationRefusedError || error instanceof NoAnswerError) return error.message;
  return error instanceof Error ? error.message.slice(0, 500) : 'for an unknown reason';
}

function retryAfter({ headers }: OutboundAnswer): number | null {
  const text = headers['retry-after'];
  return typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) * 1_000 : null;
}

/** Of whatever was answered, only what a log can hold. */
function printable(body: Buffer): string {
  return body.toString('utf8').replace(/[^\P{Cc}\n\t]|\p{Surrogate}/gu, '\uFFFD');
}
