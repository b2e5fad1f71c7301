// Inbound. Refusals that several operations share, for the OpenAPI document.
import type { ProblemExample } from '../../platform/protocol/api-problems';

export const RUN_NOT_FOUND: ProblemExample = {
  status: 404,
  code: 'agent-run.run-not-found',
  detail: 'There is no agent run 019870c2-f3a4-7c1e-8a5b-0d6f2e4c9b71.',
};

export const THREAD_NOT_FOUND: ProblemExample = {
  status: 404,
  code: 'agent-run.thread-not-found',
  detail: 'There is no thread 019870c2-f3a4-7c1e-8a5b-0d6f2e4c9b70.',
};

export const SESSION_NOT_FOUND: ProblemExample = {
  status: 404,
  code: 'agent-run.session-not-found',
  detail: 'There is no open session session-019870c2f3a47c1e8a5b0d6f2e4c9b70.',
};
