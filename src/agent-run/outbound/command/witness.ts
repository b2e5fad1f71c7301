// Outbound, command driver. The few lines that every program is started by. They stay beside it, outlive the house, and write
// down what only a parent is told: the exit code. File 3 is the trace (run-traces.ts), which the program does not get.
import { constants } from 'node:os';
import type { ProgramStart } from './program-start';

// A text that never changes: the program and its words are arguments, and no shell reads them. Signals go to the whole
// group: the program decides what they mean, the witness waits for it. PWD is the shell's own idea, and so is what it says of
// a program's end (2).
const WITNESS = `
unset PWD OLDPWD
if [ -r /proc/$$/stat ]; then read -r started < /proc/$$/stat; else started=$(ps -o lstart= -p $$); fi
printf '%s\\n' "$$" "$started" >&3
trap : HUP INT QUIT TERM
exec 4>&2 2>/dev/null
( exec "$@" 2>&4 3>&- 4>&- )
code=$?
printf '%s\\n' "$code" >&3
exit "$code"`;

export function witnessed({ file, args, ...start }: ProgramStart): ProgramStart {
  // A name without a slash might be a command of the shell's own.
  const program = file.includes('/') ? file : `./${file}`;
  return { ...start, file: '/bin/sh', args: ['-c', WITNESS, 'sh', program, ...args] };
}

/** What a shell says of a program that ended by a signal: 128 and its number. */
export function exitOf(code: number): { readonly code: number | null; readonly signal: NodeJS.Signals | null } {
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return signal === undefined ? { code, signal: null } : { code: null, signal: signal as NodeJS.Signals };
}
