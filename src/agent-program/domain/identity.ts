// Domain. What a machine keeps of its enrolment, and what is to be done with it at a moment.

export interface KeptIdentity {
  /** The ordinary address of the server: enrolment, and the way back. */
  readonly server: string;
  readonly agentId: string;
  readonly name: string;
  /** PEM. */
  readonly key: string;
  readonly certificate: string;
  /** Whom the port for agents is known by; null: by those that every machine trusts. */
  readonly serverBundle: string | null;
  readonly agentUrl: string;
  readonly notAfter: Date;
  readonly renewAfter: Date;
}

export type Step = 'beat' | 'renew' | 'recover';

/** By the wall clock at each step, never by one long timer: a machine that slept through it must find out at once. */
export function nextStep({ notAfter, renewAfter }: KeptIdentity, now: Date): Step {
  if (now >= notAfter) return 'recover';
  return now >= renewAfter ? 'renew' : 'beat';
}
