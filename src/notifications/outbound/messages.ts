// Outbound. A delivery in the words of each target: signed JSON, Slack-compatible, ntfy, a mail.
import { Webhook } from 'standardwebhooks';
import { wireTime } from '../../platform/protocol/wire-time';
import type { Delivery } from '../domain/delivery';
import type { Secrets } from '../domain/endpoint';
import { said, shortened } from '../domain/fact';

export interface HttpMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** https://www.standardwebhooks.com: after a rotation the signatures of both secrets, so that either is good. */
export function signed(delivery: Delivery, secrets: Secrets, now: Date): HttpMessage {
  const { id, type, payload, occurredAt } = delivery;
  const body = JSON.stringify({ type, timestamp: wireTime(occurredAt), data: payload });
  const keys = [secrets.current, ...(secrets.previous === null ? [] : [secrets.previous])];
  return {
    body,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Horarium-Webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': keys.map((key) => new Webhook(key).sign(id, now, body)).join(' '),
    },
  };
}

/** Slack, Mattermost, Rocket.Chat, Discord's /slack addresses. */
export function slack(delivery: Delivery): HttpMessage {
  const text = titleOf(delivery).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  return {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text: `${text}\n${idsOf(delivery)}` }),
  };
}

/** The text is the body, which may be any UTF-8; headers may not. */
export function ntfy(delivery: Delivery): HttpMessage {
  const bad = /failed|failing|interrupted|offline|at-risk|disabled|starved|needs-/.test(delivery.type);
  return {
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      Title: `Horarium: ${delivery.type}`,
      Tags: bad ? 'warning' : 'white_check_mark',
      Priority: bad ? '4' : '3',
    },
    body: `${titleOf(delivery)}\n${idsOf(delivery)}`,
  };
}

export function mail(delivery: Delivery): { subject: string; text: string } {
  const { type, occurredAt, payload } = delivery;
  const lines = Object.entries(payload).map(([key, value]) => `${key}: ${plain(value)}`);
  return {
    subject: `[Horarium] ${titleOf(delivery)}`,
    text: [titleOf(delivery), '', `event: ${type}`, `at: ${wireTime(occurredAt)}`, ...lines, ''].join('\n'),
  };
}

function titleOf({ id, tenantId, type, payload, occurredAt }: Delivery): string {
  const words = said({ id, tenantId, type, payload, occurredAt })?.title;
  if (words !== undefined) return words;
  const { message, task_title: task } = payload;
  if (typeof message === 'string') return message;
  return typeof task === 'string' ? shortened(`${type}: ${task}`) : type;
}

function idsOf({ payload }: Delivery): string {
  return ['task_id', 'run_id', 'project_id', 'evidence_id', 'agent_id', 'webhook_id']
    .filter((key) => payload[key] !== undefined)
    .map((key) => `${key} ${plain(payload[key])}`)
    .join(', ');
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
