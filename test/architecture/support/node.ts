// Test support for this folder: runs a Node program. The tools of the house are ES modules, which the test runner
// cannot load, so they run in a process of their own.
import { execFile } from 'node:child_process';

/** Standard output, whatever the exit code: the tools exit with 1 when they find something. */
export function runNode(args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [...args], { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (stdout === '') reject(error ?? new Error(`no output; standard error: ${stderr}`));
      else resolve(stdout);
    });
  });
}
