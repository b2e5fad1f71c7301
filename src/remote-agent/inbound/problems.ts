// Inbound. Refusals of remote agents, as the OpenAPI document shows them.
import type { ProblemExample } from '../../platform/protocol/api-problems';

export const AGENT_NOT_FOUND: ProblemExample = {
  status: 404,
  code: 'remote-agent.not-found',
  detail: 'There is no agent "0192f0c4-5f6e-7c1e-8a5b-0d6f2e4c9b71" of your tenant.',
};

export const TOKEN_NOT_FOUND: ProblemExample = {
  status: 404,
  code: 'remote-agent.token-not-found',
  detail: 'There is no enrolment token "0192f0c4-5f6e-7c1e-8a5b-0d6f2e4c9b71" of your tenant.',
};

export const CSR_INVALID: ProblemExample = {
  status: 422,
  code: 'remote-agent.csr-invalid',
  detail: 'csr is not signed by its own key',
  field: 'csr',
};

export const TOKEN_INVALID: ProblemExample = {
  status: 403,
  code: 'remote-agent.token-invalid',
  detail: 'The enrolment token is not valid (any more). Ask for a new one: `horarium agents token`.',
  field: 'token',
};

export const TOKEN_USED: ProblemExample = {
  status: 409,
  code: 'remote-agent.token-used',
  detail: 'The enrolment token was used for another key already. Ask for a new one: `horarium agents token`.',
  field: 'token',
};

export const PROOF_INVALID: ProblemExample = {
  status: 403,
  code: 'remote-agent.proof-invalid',
  detail: 'The proof does not hold: the signature is not by the key of the certificate.',
};

export const LISTENER_OFF: ProblemExample = {
  status: 409,
  code: 'remote-agent.listener-off',
  detail: 'This server has no port for agents: set HORARIUM_AGENT_PORT.',
};

export const TOO_MANY: ProblemExample = {
  status: 429,
  code: 'remote-agent.too-many-attempts',
  detail: 'Too many attempts that failed; try again in a minute.',
};

export const AUTHORITY_GIVEN: ProblemExample = {
  status: 409,
  code: 'remote-agent.authority-given',
  detail: 'The authority is given by HORARIUM_AGENT_CA_FILE.',
};
