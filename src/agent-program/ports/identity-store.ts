// Port. Where the machine keeps its key and certificate: readable by nobody else, and never half written.
import { token } from '../../kernel/token';
import type { KeptIdentity } from '../domain/identity';

export interface IdentityStore {
  /** For messages. */
  readonly where: string;
  read(): Promise<KeptIdentity | undefined>;
  write(identity: KeptIdentity): Promise<void>;
  /** The key of an enrolment whose answer has not come: asking again with it is answered again. */
  pendingKey(make: () => Promise<string>): Promise<string>;
  /** The enrolment is over. */
  forgetPending(): Promise<void>;
}

export const IdentityStore = token<IdentityStore>('IdentityStore');
