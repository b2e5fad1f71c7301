// Domain. Certificates of agents: how long they are good, when they are renewed, who may still renew with which.

/** Authorises nothing by itself: what the row says counts. */
export interface AgentCertificate {
  readonly serial: string;
  readonly agentId: string;
  readonly tenantId: number;
  readonly keyFingerprint: string;
  readonly issuedAt: Date;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly firstUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface CertificatePolicy {
  readonly lifeSeconds: number;
  /** How long after its end a certificate still proves who the agent is; 0: not at all. */
  readonly recoverySeconds: number;
}

/** For agents whose clock is a little behind ours. */
const BACKDATED_MS = 60_000;

export function validityFrom(now: Date, { lifeSeconds }: CertificatePolicy): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: new Date(now.getTime() - BACKDATED_MS),
    notAfter: new Date(now.getTime() + lifeSeconds * 1_000),
  };
}

/**
 * Half of its life, give or take a tenth: a fleet that enrolled in one minute does not renew in one. The chance comes
 * from the serial, which is random, so that whoever asks hears the same.
 */
export function renewAfter({ serial, issuedAt, notAfter }: Pick<AgentCertificate, 'serial' | 'issuedAt' | 'notAfter'>) {
  const chance = Number.parseInt(serial.slice(-8), 16) / 0xffff_ffff;
  const half = (notAfter.getTime() - issuedAt.getTime()) / 2;
  return new Date(issuedAt.getTime() + half * (0.9 + 0.2 * chance));
}

export function isExpired({ notAfter }: Pick<AgentCertificate, 'notAfter'>, now: Date): boolean {
  return now.getTime() > notAfter.getTime();
}

export function isRecoverable(
  { notAfter }: Pick<AgentCertificate, 'notAfter'>,
  { recoverySeconds }: CertificatePolicy,
  now: Date,
): boolean {
  return now.getTime() <= notAfter.getTime() + recoverySeconds * 1_000;
}

/**
 * Whether a newer certificate of the agent is in use. One that was issued and never used is an answer that got lost;
 * one that was used means that the agent has moved on, and that whoever still renews with the older one is a copy.
 */
export function isSuperseded(one: AgentCertificate, all: readonly AgentCertificate[]): boolean {
  return all.some(
    (other) =>
      other.serial !== one.serial &&
      other.issuedAt.getTime() >= one.issuedAt.getTime() &&
      other.firstUsedAt !== null &&
      (one.firstUsedAt === null || other.firstUsedAt.getTime() > one.firstUsedAt.getTime()),
  );
}

/** What is signed to recover: the caller's number used once, and the new request. */
export function recoveryText(nonce: string, csrSha256Hex: string): string {
  return `${nonce}.${csrSha256Hex}`;
}
