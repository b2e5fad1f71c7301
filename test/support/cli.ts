// Test support. The command line, run within the test's process.
import { runCli } from '../../src/cli';

export interface Said {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

export type Horarium = (...argv: string[]) => Promise<Said>;

/** `horarium …` in these surroundings. */
export function horarium(env: Readonly<Record<string, string>>): Horarium {
  return async (...argv) => {
    const said = { stdout: '', stderr: '', code: 0 };
    const terminal = {
      out: (text: string) => void (said.stdout += text),
      err: (text: string) => void (said.stderr += text),
      exitCode: (code: number) => void (said.code = code),
    };
    await runCli(argv, { env, terminal });
    return said;
  };
}
