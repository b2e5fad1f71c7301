// Use case. Tries an assistant for its operator: what is in place, what is missing, and whether it answers one tiny
// prompt. Nothing is stored.
import type { Ids } from '../../kernel/ids';
import { UnknownAssistantError } from '../domain/errors';
import { DomainError } from '../../kernel/domain-error';
import { answerOf, type RunEnd } from '../domain/run-end';
import type { AssistantDirectory } from '../ports/assistant-directory';
import type { AssistantDriver, AssistantDrivers, Finding, Launch } from '../ports/assistant-driver';

export const TEST_PROMPT = 'Reply with the single word OK.';
/** A person sits and waits. */
const LONGEST_SECONDS = 120;

export interface AssistantReport {
  readonly assistantId: string;
  readonly works: boolean;
  readonly findings: readonly Finding[];
  /** What the agent answered; null when it did not come so far. */
  readonly answer: string | null;
}

export class TestAssistant {
  constructor(
    private readonly assistants: AssistantDirectory,
    private readonly drivers: AssistantDrivers,
    private readonly ids: Ids,
  ) {}

  /** Throws AssistantFailsError, with all that was found, when the assistant does not work. */
  async orRefuse(assistantId: string): Promise<AssistantReport> {
    const report = await this.run(assistantId);
    if (!report.works) throw new AssistantFailsError(report);
    return report;
  }

  async run(assistantId: string): Promise<AssistantReport> {
    const configured = this.assistants.find(assistantId);
    if (configured === undefined) {
      throw new UnknownAssistantError(
        assistantId,
        this.assistants.all().map(({ id }) => id),
      );
    }
    const assistant = { ...configured, timeoutSeconds: Math.min(configured.timeoutSeconds, LONGEST_SECONDS) };
    const driver = this.drivers.of(assistant);
    const findings = [...(await driver.inspect(assistant))];
    const id = this.ids.uuid();
    const threadId = `assistant-test-${assistantId}`.replaceAll('.', '_').slice(0, 64);
    const owner = { tenantId: 0, userId: 'operator' };
    const asked = { owner, prompt: TEST_PROMPT, metadata: {}, workingFolder: null, agentSession: null };
    const nothing = { output: '', errorOutput: '' };
    const listening = { said: (): void => undefined, heard: () => Promise.resolve(nothing) };
    const end = await endOf(driver, { assistant, agentRunId: id, requestId: id, threadId, ...asked, ...listening });
    await driver.forget(id);
    if (end instanceof DomainError) {
      // Looking beforehand has usually said the same already.
      if (!findings.some(({ what }) => what === end.message)) findings.push({ fine: false, what: end.message });
      return { assistantId, works: false, findings, answer: null };
    }
    findings.push(...verdict(end));
    return { assistantId, works: end.status === 'success', findings, answer: answerOf(end) };
  }
}

/** For whom a failing assistant is a failure of the whole question: a command's exit code says so. */
export class AssistantFailsError extends DomainError {
  readonly kind = 'downstream';
  readonly code = 'agent-run.assistant-fails';
  constructor(readonly report: AssistantReport) {
    const lines = report.findings.map(({ fine, what }) => `  ${fine ? 'ok' : '!!'}  ${what}`);
    super([`assistant "${report.assistantId}" does not work.`, ...lines].join('\n'));
  }
}

async function endOf(driver: AssistantDriver, launch: Launch): Promise<RunEnd | DomainError> {
  try {
    const { ended } = await driver.start(launch);
    return await ended;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/** How programs say that nobody is logged in; what they do not agree on is the exit code. */
const NOT_LOGGED_IN =
  /log(ged)? ?in|sign in|api[ _-]?key|unauthori[sz]ed|unauthenticated|credential|\b401\b|\b403\b|auth/i;

function verdict(end: RunEnd): Finding[] {
  if (end.status === 'success') {
    return end.output.text.trim() === ''
      ? [{ fine: false, what: 'It ended well and said nothing: check that the command prints the answer.' }]
      : [{ fine: true, what: 'It answered a tiny prompt.' }];
  }
  const findings: Finding[] = [{ fine: false, what: end.error ?? 'It failed.' }];
  if (NOT_LOGGED_IN.test(end.output.text + end.errorOutput.text)) {
    const how = 'log it in as the user that it runs as, or list the variable that holds its key under "env"';
    findings.push({ fine: false, what: `It seems not to be logged in: ${how} (docs/assistants.md).` });
  }
  return findings;
}
