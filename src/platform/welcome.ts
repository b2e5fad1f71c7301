// Platform. What a person sees when the server is ready: where it is, how to get in, what to try.
import { relative } from 'node:path';

export interface WelcomeFacts {
  readonly url: string;
  readonly version: string;
  readonly database: 'embedded' | 'external';
  readonly dataDir: string;
  readonly operatorToken: { readonly file: string; readonly fresh: boolean } | null;
  /** How agents are kept from the house's secrets, in words. */
  readonly isolation: string;
}

export function welcome({ url, version, database, dataDir, operatorToken, isolation }: WelcomeFacts): string {
  const token = operatorToken === null ? '$HORARIUM_TOKEN' : `$(cat ${shellWord(nearPath(operatorToken.file))})`;
  const task = {
    title: 'Hello every minute',
    prompt: 'Say hello, and what time it is.',
    schedule_type: 'cron',
    schedule_spec: { cron: '* * * * *' },
    timezone: 'UTC',
  };
  return `
Horarium ${version} is ready.

  Address      ${url}
  Swagger UI   ${url}/docs
  Token        ${tokenLine(operatorToken)}
  Database     ${database === 'embedded' ? `embedded PostgreSQL in ${nearPath(dataDir)}` : 'the one of DATABASE_URL'}
  Agents       ${isolation}

Three things to try:

  curl -sS -X POST ${url}/api/scheduled-tasks -H "Authorization: Bearer ${token}" \\
    -H 'Content-Type: application/json' -d '${JSON.stringify(task)}'

  npx horarium runs --since 1h

  npx horarium task list

`;
}

function tokenLine(token: WelcomeFacts['operatorToken']): string {
  if (token === null) return 'of your identity provider (HORARIUM_JWT_JWKS_URL)';
  const made = token.fresh ? ' (made now; `npx horarium token create --help` makes more)' : '';
  return `the one line in ${nearPath(token.file)}${made}`;
}

function nearPath(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : near;
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
