// Inbound. Runs as people read them on the command line.
import { between, inOneLine, lasting, localTime, sheet, visible } from '../../platform/cli/for-people';
import { columns } from '../../platform/protocol/cli-output';
import type { RunResponse } from './run.response';

/** What the server says of an agent run (GET /api/agent-runs/{id}). */
export interface AgentRun {
  readonly status: string;
  readonly error: string | null;
  readonly exit_code: number | null;
  readonly output: string;
  readonly output_truncated: boolean;
  readonly stderr: string;
  readonly stderr_truncated: boolean;
}

/** @param titles by task id; absent where all rows are of one task */
export function runTable(runs: readonly RunResponse[], zone: string, titles?: ReadonlyMap<string, string>): string {
  if (runs.length === 0) return 'no runs';
  const head = ['planned', 'late', 'status', 'took', 'by', ...(titles === undefined ? [] : ['task']), 'run', 'why'];
  const rows = runs.map((run) => [
    localTime(run.scheduled_for, zone),
    run.lateness_ms === null ? '-' : lasting(run.lateness_ms),
    run.status,
    between(run.started_at, run.finished_at),
    run.trigger,
    ...(titles === undefined ? [] : [inOneLine(titles.get(run.task_id) ?? run.task_id, 30)]),
    run.id,
    whyOf(run),
  ]);
  return `${columns(head, rows)}\n\n${counted(runs)}; times in ${zone}`;
}

export function runSheet(run: RunResponse, agentRun: AgentRun | null, zone: string): string {
  const time = (moment: string | null) => localTime(moment, zone);
  const entries: (readonly [string, string])[] = [
    ['run', run.id],
    ['task', run.task_id],
    ['status', run.status],
    ['trigger', run.trigger],
    ['planned', `${time(run.scheduled_for)} (${zone})`],
    ['started', time(run.started_at)],
    ['late', run.lateness_ms === null ? '-' : lasting(run.lateness_ms)],
    ['finished', time(run.finished_at)],
    ['took', between(run.started_at, run.finished_at)],
    ['thread', run.thread_id],
    ['agent run', run.run_id ?? '-'],
  ];
  if (run.late_reason !== null) entries.push(['late because', run.late_reason]);
  if (run.reason !== null) entries.push(['reason', run.reason]);
  if (run.error !== null) entries.push(['error', visible(run.error)]);
  if (agentRun === null) return sheet(entries);
  if (agentRun.exit_code !== null) entries.push(['exit code', String(agentRun.exit_code)]);
  return [
    sheet(entries),
    said('output', agentRun.output, agentRun.output_truncated),
    said('error output', agentRun.stderr, agentRun.stderr_truncated),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function said(name: string, text: string, cut: boolean): string {
  if (text === '') return '';
  return `--- ${name}${cut ? ' (its beginning; the rest was not kept)' : ''} ---\n${visible(text).trimEnd()}`;
}

function whyOf({ reason, error, late_reason: late }: RunResponse): string {
  const end = [reason, error === null ? null : inOneLine(error, 80)].filter((part) => part !== null).join(': ');
  const words = [late === null ? '' : `late: ${late}`, end].filter((part) => part !== '');
  return words.length === 0 ? '-' : words.join('; ');
}

/** `12 runs: 10 success, 1 failed, 1 skipped` */
function counted(runs: readonly RunResponse[]): string {
  const counts = new Map<string, number>();
  for (const { status } of runs) counts.set(status, (counts.get(status) ?? 0) + 1);
  const parts = [...counts].map(([status, count]) => `${count} ${status}`);
  return `${runs.length} ${runs.length === 1 ? 'run' : 'runs'}: ${parts.join(', ')}`;
}
