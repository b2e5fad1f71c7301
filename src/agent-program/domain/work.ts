// Domain. A run that this machine has fetched, and what it reports of it.

export interface FetchedRun {
  readonly runId: string;
  readonly token: string;
  readonly requestId: string;
  readonly assistantId: string;
  readonly tenantId: number;
  readonly userId: string;
  readonly threadId: string;
  readonly prompt: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly workingFolder: string | null;
  readonly agentSession: string | null;
  /** How long the run stays ours without a sign of life. */
  readonly leaseSeconds: number;
  readonly reportLimitBytes: number;
}

export interface LeaseRenewal {
  readonly leaseSeconds: number;
  /** Null: go on. */
  readonly cancelled: string | null;
}

export interface Said {
  readonly text: string;
  readonly droppedBytes: number;
}

export interface RunReport {
  readonly status: 'success' | 'error' | 'timeout' | 'interrupted';
  readonly error: string | null;
  readonly reason: 'rate_limited' | 'input_needed' | null;
  readonly retryAt: Date | null;
  readonly exitCode: number | null;
  readonly output: Said;
  readonly errorOutput: Said;
  readonly result: string | null;
  readonly usage: Readonly<Record<'inputTokens' | 'outputTokens' | 'totalTokens' | 'costUsd', number | null>> | null;
  readonly agentSession: string | null;
}

const NOTHING: Said = { text: '', droppedBytes: 0 };

/** Of a run that could not be started, or whose program is not ours to hear any more. */
export function failedReport(error: string): RunReport {
  const none = { reason: null, retryAt: null, exitCode: null, result: null, usage: null, agentSession: null };
  return { status: 'error', error: shortened(error), ...none, output: NOTHING, errorOutput: NOTHING };
}

/** For what is not text: the report as JSON is longer than its texts. */
const ROOM_BYTES = 16 * 1_024;
const LONGEST_ERROR = 2_000;
const LONGEST_SESSION = 512;

/**
 * As much of a report as the server takes. The answer goes before what was printed, and that before what was complained of;
 * an output that repeats the answer is not worth less for it, since the server keeps both.
 */
export function fitted(report: RunReport, limitBytes: number): RunReport {
  const room = Math.max(0, limitBytes - ROOM_BYTES);
  const result = report.result === null ? null : beginning(report.result, Math.floor(room / 2)).text;
  const afterResult = room - wireBytes(result ?? '');
  const errorOutput = kept(report.errorOutput, Math.floor(afterResult / 4));
  const output = kept(report.output, afterResult - wireBytes(errorOutput.text));
  const agentSession = (report.agentSession?.length ?? 0) > LONGEST_SESSION ? null : report.agentSession;
  return {
    ...report,
    error: report.error === null ? null : shortened(report.error),
    result,
    output,
    errorOutput,
    agentSession,
  };
}

function kept({ text, droppedBytes }: Said, limitBytes: number): Said {
  const part = beginning(text, limitBytes);
  return { text: part.text, droppedBytes: droppedBytes + part.droppedBytes };
}

function beginning(said: string, limitBytes: number): Said {
  const text = storable(said);
  if (wireBytes(text) <= limitBytes) return { text, droppedBytes: 0 };
  let [least, most] = [0, Math.min(text.length, limitBytes)];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (wireBytes(text.slice(0, middle)) <= limitBytes) least = middle;
    else most = middle - 1;
  }
  // Not between the two halves of one character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(least - 1)) ? least - 1 : least;
  return { text: text.slice(0, end), droppedBytes: Buffer.byteLength(text.slice(end)) };
}

/** What a text takes as JSON: control characters take six bytes each. */
function wireBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

/** Neither a NUL nor half of a character can be stored. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD');
}

function shortened(error: string): string {
  const text = storable(error);
  return text.length > LONGEST_ERROR ? `${text.slice(0, LONGEST_ERROR - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}
