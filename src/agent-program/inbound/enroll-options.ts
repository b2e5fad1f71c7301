// Inbound. What was typed for an enrolment. A token in the arguments is seen by everyone on the machine: `-` and the
// environment are the better ways.
import { UsageError } from '../../platform/cli/api-errors';

export function serverFrom(text: string | undefined): string {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError('--server takes an address such as https://horarium.example.org.');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

export async function tokenFrom(text: string | undefined): Promise<string> {
  const token = text === '-' ? await standardInput() : text;
  if (token === undefined || !/^hzt_[\w-]+$/.test(token)) {
    throw new UsageError('--token takes what `horarium agents token` printed; - reads it from standard input.');
  }
  return token;
}

async function standardInput(): Promise<string> {
  let text = '';
  for await (const part of process.stdin) text += String(part);
  return text.trim();
}
