// Platform, command line. Is all well? Asked from where the person sits: a server may be in order and out of reach.
import { DomainError } from '../../kernel/domain-error';
import type { HealthReport } from '../health/health-indicators';
import type { ApiClient } from './api-client';

export interface Finding {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
}

export interface Diagnosis {
  readonly url: string;
  /** Nothing failed; a warning is no failure. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

export async function diagnose(api: ApiClient): Promise<Diagnosis> {
  const findings: Finding[] = [await server(api)];
  // Without a server everything else would only say so again.
  if (findings[0]?.status === 'ok') findings.push(...(await health(api)), await token(api), ...(await unreadable(api)));
  return { url: api.url, ok: findings.every(({ status }) => status !== 'fail'), findings };
}

async function server(api: ApiClient): Promise<Finding> {
  return finding('server', async () => {
    const { status } = await api.ask('GET', '/health/live');
    return status === 200
      ? { status: 'ok', message: `answers at ${api.url}` }
      : { status: 'fail', message: `${api.url} answers ${status} when asked whether it is alive` };
  });
}

/** One line for each check of /health/ready, which answers 503 when one of those that must be well is not. */
async function health(api: ApiClient): Promise<Finding[]> {
  try {
    const { body } = await api.ask('GET', '/health/ready');
    const { checks } = body as HealthReport;
    return Object.entries(checks).map(([name, { status, message, must_have: _, ...figures }]) => ({
      name,
      // What is not a must-have keeps nobody from working.
      status: status === 'fail' && checks[name]?.must_have !== true ? 'warn' : status,
      message: [message ?? 'well', inWords(figures)].filter((part) => part !== '').join('; '),
    }));
  } catch (error) {
    return [failed('health', error)];
  }
}

async function token(api: ApiClient): Promise<Finding> {
  return finding('token', async () => {
    await api.get('/api/scheduled-tasks', { limit: 1 });
    return { status: 'ok', message: 'opens the door' };
  });
}

/** Only operators may look; for everybody else there is nothing to say. */
async function unreadable(api: ApiClient): Promise<Finding[]> {
  const { status, body } = await api.ask('GET', '/api/operations/unreadable-tasks').catch(() => NO_ANSWER);
  if (status !== 200) return [];
  const tasks = body as readonly { readonly id: string; readonly error: string }[];
  if (tasks.length === 0) return [{ name: 'tasks', status: 'ok', message: 'every stored task can be read' }];
  return tasks.map(({ error }) => ({ name: 'tasks', status: 'fail', message: error }));
}

const NO_ANSWER = { status: 0, body: undefined };

async function finding(name: string, look: () => Promise<Omit<Finding, 'name'>>): Promise<Finding> {
  try {
    return { name, ...(await look()) };
  } catch (error) {
    return failed(name, error);
  }
}

function failed(name: string, error: unknown): Finding {
  const { message, hint } = error as Error & { hint?: string };
  if (!(error instanceof DomainError)) throw error;
  return { name, status: 'fail', message: hint === undefined ? message : `${message} (${hint})` };
}

function inWords(figures: Readonly<Record<string, unknown>>): string {
  return Object.entries(figures)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
}
