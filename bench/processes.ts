// Benchmarks. What processes have used, as Linux counts it.
import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory of a process, in MB of 10^6 bytes. */
export function residentMb(pid: number): number {
  return statusMb(pid, /^VmRSS:\s+(\d+) kB$/m);
}

/** The most that it ever was. */
export function mostResidentMb(pid: number): number {
  return statusMb(pid, /^VmHWM:\s+(\d+) kB$/m);
}

function statusMb(pid: number, line: RegExp): number {
  return (Number(line.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024) / 1e6;
}

/** CPU time of one process, all threads, in milliseconds. */
export function cpuMs(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce(
    (sum, task) => sum + nanoseconds(`/proc/${pid}/task/${task}`) / 1e6,
    0,
  );
}

/** Of a database server: its processes that live, and those that have ended (counted in hundredths of a second). */
export function serverCpuMs(postmaster: number): number {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === postmaster);
  const living = children.reduce((sum, pid) => sum + nanoseconds(`/proc/${pid}`) / 1e6, cpuMs(postmaster));
  const fields = statOf(String(postmaster));
  return living + (Number(fields[13]) + Number(fields[14])) * 10;
}

function nanoseconds(folder: string): number {
  try {
    return Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]);
  } catch {
    // It has ended since it was listed.
    return 0;
  }
}

function parentOf(pid: string): number {
  try {
    return Number(statOf(pid)[1]);
  } catch {
    return -1;
  }
}

/** The fields after the name in brackets, which may hold blanks: state, parent, … */
function statOf(pid: string): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
