// Outbound, command driver. Looks before it starts a program, so that a refusal can say what to mend; the operating
// system would only say ENOENT, of the program and of the folder alike.
import { access, constants, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LaunchFailedError } from '../../domain/errors';
import { obstacle, type OperatingUser } from './operating-user';

/** The file that stands for `program`, seen from `path` (the agent's PATH) and by `user`. */
export async function findProgram(program: string, path: string, user: OperatingUser | undefined): Promise<string> {
  const places = program.startsWith('/') ? [program] : path.split(':').map((folder) => join(folder || '.', program));
  let unusable: string | undefined;
  for (const place of places) {
    const found = await stat(place).catch(() => undefined);
    if (!found?.isFile()) continue;
    unusable = await whyNotExecutable(place, user);
    if (unusable === undefined) return runnable(place, program);
  }
  if (unusable !== undefined) throw new LaunchFailedError(unusable);
  throw new LaunchFailedError(
    program.startsWith('/')
      ? `The program ${program} does not exist. Install it there, or correct the assistant's command.`
      : `The program "${program}" was not found on PATH (${path}). Install it, or give its full path in the assistant's command.`,
  );
}

/**
 * What comes before the program would say it of itself: it is started by a shell, which also takes for a script of its own what
 * the operating system refuses. A file that cannot be read can be no script.
 */
async function runnable(place: string, program: string): Promise<string> {
  const beginning = await firstBytes(place);
  if (beginning === undefined || beginning.includes(0)) return place;
  const line = beginning.toString('latin1').split('\n')[0] ?? '';
  if (!line.startsWith('#!')) throw refusedAs('ENOEXEC', program);
  const interpreter = line.slice(2).trim().split(/[ \t]/)[0] ?? '';
  if (!(await stat(interpreter).catch(() => undefined))?.isFile()) throw refusedAs('ENOENT', program);
  return place;
}

async function firstBytes(place: string): Promise<Buffer | undefined> {
  const file = await open(place, 'r').catch(() => undefined);
  try {
    const read = await file?.read(Buffer.alloc(256), 0, 256, 0);
    return read?.buffer.subarray(0, read.bytesRead);
  } finally {
    await file?.close();
  }
}

function refusedAs(code: 'ENOENT' | 'ENOEXEC', program: string): LaunchFailedError {
  return launchFailure(Object.assign(new Error(code), { code }), program, false);
}

async function whyNotExecutable(file: string, user: OperatingUser | undefined): Promise<string | undefined> {
  if (user !== undefined) {
    const at = await obstacle(file, user, 'execute');
    if (at === undefined) return undefined;
    return at === file
      ? `The program ${file} is not executable for the user ${user.name}: chmod +x it, or let the assistant run as another user.`
      : `The user ${user.name} may not enter ${at}, so the program ${file} is out of its reach: install it in a place for all users, or let the assistant run as another user.`;
  }
  return access(file, constants.X_OK).then(
    () => undefined,
    () => `The program ${file} is not executable: chmod +x it.`,
  );
}

/** What the operating system's refusal means, when looking beforehand found nothing wrong. */
export function launchFailure(error: unknown, program: string, promptAsArgument: boolean): LaunchFailedError {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const reasons: Record<string, string> = {
    ENOENT: `${program} cannot be run: the interpreter that its first line names does not exist on this machine.`,
    ENOEXEC: `${program} is no program that this machine can run: a script needs a first line such as #!/bin/sh.`,
    EACCES: `${program} cannot be run: permission denied, perhaps by its interpreter, or by a file system mounted noexec.`,
    E2BIG: promptAsArgument
      ? 'The prompt is too long for an argument (128 KiB on Linux): let the assistant take it on standard input.'
      : 'The environment of the assistant is too long for this machine.',
    EAGAIN: 'This machine has no room for another process at the moment.',
    ENOMEM: 'This machine has no memory for another process at the moment.',
    EMFILE: 'Horarium has too many files open: raise the limit (ulimit -n), or lower the number of concurrent runs.',
    ENFILE: 'This machine has too many files open.',
  };
  const message = reasons[code] ?? `${program} could not be started: ${(error as Error).message}`;
  return new LaunchFailedError(message, { cause: error });
}
