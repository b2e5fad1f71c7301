// Domain. Everything agent-run refuses, with the reason in the words of the person who asked.
import { DomainError } from '../../kernel/domain-error';

export class InvalidInputError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'agent-run.invalid-input';
  constructor(field: string, message: string) {
    super(message, { field });
  }
}

/** Users choose an assistant by its id: an unknown one is a wrong field, not a missing page. */
export class UnknownAssistantError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'agent-run.unknown-assistant';
  constructor(assistantId: string, known: readonly string[]) {
    super(`There is no assistant "${assistantId}". Known: ${known.join(', ')}.`, { field: 'assistant_id' });
  }
}

/** One assistant's settings are wrong. Where they stand (file, line) is added by who read them. */
export class InvalidAssistantError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'agent-run.invalid-assistant';
  constructor(
    readonly assistantId: string,
    readonly key: string,
    readonly reason: string,
  ) {
    super(`assistant "${assistantId}", ${key}: ${reason}`, { field: key });
  }
}

/** The assistants file as a whole cannot be used. */
export class InvalidAssistantsFileError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'agent-run.invalid-assistants-file';
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

export class UnknownAgentUserError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'agent-run.unknown-agent-user';
  constructor(name: string) {
    super(`HORARIUM_AGENT_USER: this machine has no user "${name}". Create it, or name another one.`);
  }
}

export class ThreadNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'agent-run.thread-not-found';
  constructor(threadId: string) {
    super(`There is no thread ${threadId}.`, { field: 'thread_id' });
  }
}

/** Another run works on the thread, or waits for it. */
export class ThreadBusyError extends DomainError {
  readonly kind = 'busy';
  readonly code = 'agent-run.thread-busy';
  constructor(threadId: string) {
    super(
      `Thread ${threadId} is busy with another run. Try again when it has ended, or ask with when_busy: "enqueue".`,
    );
  }
}

/** Absent, closed, or somebody else's. */
export class SessionNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'agent-run.session-not-found';
  constructor(sessionId: string) {
    super(`There is no open session ${sessionId}. Open one, or renew yours before it expires.`, {
      field: 'session_id',
    });
  }
}

export class AgentRunNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'agent-run.run-not-found';
  constructor(agentRunId: string) {
    super(`There is no agent run ${agentRunId}.`);
  }
}

export class AgentRunEndedError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'agent-run.run-ended';
  constructor(agentRunId: string, status: string) {
    super(`Agent run ${agentRunId} has already ended (${status}).`);
  }
}

/** Said alike of a run that does not exist, is over, or belongs to another agent by now: the token alone is the key. */
export class RunNotHeldError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'agent-run.run-not-held';
  constructor(agentRunId: string) {
    super(`This token does not hold agent run ${agentRunId} (any more): it has ended, or was given to another agent.`);
  }
}

export class RunTokenMissingError extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'agent-run.run-token-missing';
  constructor() {
    super('Send the run_token of the run: "Authorization: Bearer hrt_…".');
  }
}

/** The driver could not start the agent, and it is certain that nothing runs. */
export class LaunchFailedError extends DomainError {
  readonly kind = 'downstream';
  readonly code = 'agent-run.launch-failed';
}

/** On the agent's own server somebody else's run is on the thread. Certainly nothing of ours runs there. */
export class RemoteThreadBusyError extends DomainError {
  readonly kind = 'busy';
  readonly code = 'agent-run.remote-thread-busy';
  constructor(threadId: string) {
    super(`Thread ${threadId} is busy on the agent's server with a run that is not Horarium's.`);
  }
}

/** Another run with this request id belongs to somebody else, or asked for something else. */
export class RequestIdTakenError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'agent-run.request-id-taken';
  constructor() {
    super('This request id was used for another agent run.', { field: 'request_id' });
  }
}

/**
 * What became of a start is not known here: it was called off, or another process is at it. No domain error on
 * purpose: callers read a domain error as "certainly nothing ran", and this says the contrary.
 */
export class StartUnsettledError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartUnsettledError';
  }
}

/** This process is stopping. The run has not started and left no trace: the same request may come again elsewhere. */
export class StartAbortedError extends Error {
  constructor() {
    super('Horarium is shutting down; the run was not started.');
    this.name = 'StartAbortedError';
  }
}
