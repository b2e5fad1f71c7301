// Port. Who vouches for agents: reads their requests, signs their certificates, and looks at certificates that are shown.
// What a certificate is worth is not decided here: that is a row's business (agent-repository).
import { token } from '../../kernel/token';
import type { AgentIdentity } from '../domain/identity';

/** All that is taken from a request: its subject, names and extensions are not. */
export interface RequestedKey {
  /** SubjectPublicKeyInfo, DER. */
  readonly spki: Uint8Array;
  /** SHA-256 of it, hexadecimal. */
  readonly fingerprint: string;
  /** SHA-256 of the request in DER, hexadecimal. */
  readonly requestHash: string;
}

export interface Signed {
  readonly serial: string;
  /** PEM. */
  readonly certificate: string;
}

export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** What a certificate says of itself. */
export interface ShownCertificate extends AgentIdentity, Validity {
  readonly serial: string;
}

export interface AuthorityFacts {
  readonly id: string;
  readonly subject: string;
  readonly fingerprint: string;
  readonly notAfter: Date;
  /** Null: the one that signs. */
  readonly trustedUntil: Date | null;
  readonly certificate: string;
}

export interface CertificateAuthority {
  /** Checks the request and the proof of possession in it. @throws CsrInvalidError, KeyTypeError */
  readRequest(csr: string): Promise<RequestedKey>;
  /** Signs for this identity and for TLS clients only, with the newest authority. */
  sign(key: RequestedKey, identity: AgentIdentity, validity: Validity, now: Date): Promise<Signed>;
  /** PEM of everyone who is trusted: several while one is being replaced. */
  bundle(now: Date): Promise<string>;
  /**
   * What a certificate (PEM, or DER) says, when one of ours signed it for an agent; undefined for all others, expired
   * ones of strangers included.
   */
  examine(certificate: string | Uint8Array, now: Date): Promise<ShownCertificate | undefined>;
  /** Whether the key of a certificate made this signature over the text. */
  proves(certificate: string, text: string, signature: Uint8Array): boolean;
  /** Another process may have put a new authority in front: the next question asks the store. */
  forget(): void;
  all(now: Date): Promise<AuthorityFacts[]>;
  /** Puts a new authority in front; the one before stays trusted until then. @throws AuthorityGivenError */
  rotate(now: Date, trustedUntil: Date): Promise<AuthorityFacts[]>;
}

export const CertificateAuthority = token<CertificateAuthority>('CertificateAuthority');
