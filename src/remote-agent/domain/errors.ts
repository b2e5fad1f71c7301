// Domain. What can go wrong between the house and a machine that works for it. Codes are the contract with agents.
import { DomainError } from '../../kernel/domain-error';

export class AgentNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'remote-agent.not-found';
  constructor(id: string) {
    super(`There is no agent "${id}" of your tenant.`);
  }
}

export class TokenNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'remote-agent.token-not-found';
  constructor(id: string) {
    super(`There is no enrolment token "${id}" of your tenant.`);
  }
}

/** A name, a label, a lifetime: something that a person wrote. */
export class InvalidAgentError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'remote-agent.invalid';
  constructor(field: string, message: string) {
    super(message, { field });
  }
}

/** Unknown, expired and withdrawn are not told apart: a guesser learns nothing. */
export class TokenInvalidError extends DomainError {
  readonly kind = 'refused';
  readonly code = 'remote-agent.token-invalid';
  constructor() {
    super('The enrolment token is not valid (any more). Ask for a new one: `horarium agents token`.', {
      field: 'token',
    });
  }
}

export class TokenUsedError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'remote-agent.token-used';
  constructor() {
    super('The enrolment token was used for another key already. Ask for a new one: `horarium agents token`.', {
      field: 'token',
    });
  }
}

export class CsrInvalidError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'remote-agent.csr-invalid';
  constructor(why: string, cause?: unknown) {
    super(`csr ${why}`, { field: 'csr', cause });
  }
}

export class KeyTypeError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'remote-agent.key-type';
  constructor(given: string) {
    super(`csr has a key of the kind ${given}; allowed: EC P-256 or P-384, Ed25519, RSA of 2048 to 4096 bits`, {
      field: 'csr',
    });
  }
}

/** Recovery: the certificate, or the proof that its key is still there, does not hold. */
export class ProofInvalidError extends DomainError {
  readonly kind = 'refused';
  readonly code = 'remote-agent.proof-invalid';
  constructor(why: string) {
    super(`The proof does not hold: ${why}. Enrol anew with a token for this agent (\`horarium agents reissue\`).`);
  }
}

export class NoCertificateError extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'remote-agent.no-certificate';
  constructor() {
    super('Show the certificate of an enrolled agent.');
  }
}

/** An agent's address was asked for on the ordinary port. What a header says of a certificate is not looked at there. */
export class WrongListenerError extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'remote-agent.wrong-listener';
  constructor() {
    super('This address answers on the port for agents only, to those with a certificate.');
  }
}

export class CertificateExpiredError extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'remote-agent.cert-expired';
  constructor(notAfter: Date) {
    super(`The certificate expired at ${notAfter.toISOString()}: recover with its key, or enrol anew.`);
  }
}

export class CertificateRevokedError extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'remote-agent.cert-revoked';
  constructor() {
    super('The certificate was revoked. Enrol anew with a new token.');
  }
}

export class CertificateUnknownError extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'remote-agent.cert-unknown';
  constructor() {
    super('No agent is known under this certificate. Enrol with a token.');
  }
}

/** A newer certificate of the same agent is in use: somebody has a copy of the key. */
export class CertificateSupersededError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'remote-agent.cert-superseded';
  constructor() {
    super(
      'A newer certificate of this agent is in use. If this machine is a copy of another one, enrol it as an agent of its own.',
    );
  }
}

export class AgentDisabledError extends DomainError {
  readonly kind = 'refused';
  readonly code = 'remote-agent.agent-disabled';
  constructor() {
    super('The agent is disabled. `horarium agents enable` lets it in again.');
  }
}

export class TooManyAttemptsError extends DomainError {
  readonly kind = 'exhausted';
  readonly code = 'remote-agent.too-many-attempts';
  constructor() {
    super('Too many attempts that failed; try again in a minute.');
  }
}

/** The operator gave the authority as files: it is theirs to change. */
export class AuthorityGivenError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'remote-agent.authority-given';
  constructor() {
    super(
      'The authority is given by HORARIUM_AGENT_CA_FILE. Put the new certificate behind the old one in that file and ' +
        'start again; when every agent has renewed, put it first, with its key in HORARIUM_AGENT_CA_KEY_FILE.',
    );
  }
}

export class AuthorityUnusableError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'remote-agent.authority-unusable';
}

export class ListenerOffError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'remote-agent.listener-off';
  constructor() {
    super('This server has no port for agents: set HORARIUM_AGENT_PORT.');
  }
}

/** What arrived is not what was sent. */
export class ChecksumMismatchError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'remote-agent.checksum-mismatch';
  constructor(arrived: string) {
    super(
      `What arrived has the SHA-256 ${arrived}, which is not what was announced. Nothing was kept; send it again.`,
      {
        field: 'sha256',
      },
    );
  }
}
