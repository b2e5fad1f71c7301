// Use case. Enrols this machine: a key of its own, a certificate for it.
import { AlreadyEnrolledError, UnsafeServerError } from '../domain/errors';
import type { KeptIdentity } from '../domain/identity';
import type { IdentityStore } from '../ports/identity-store';
import type { Keys } from '../ports/keys';
import type { Server } from '../ports/server';

export interface EnrollMachineInput {
  readonly server: string;
  readonly token: string;
  readonly name: string;
  readonly version: string;
  readonly allowHttp: boolean;
  readonly again: boolean;
}

export class EnrollMachine {
  constructor(
    private readonly store: IdentityStore,
    private readonly keys: Keys,
    private readonly house: Server,
  ) {}

  async run({ server, token, name, version, allowHttp, again }: EnrollMachineInput): Promise<KeptIdentity> {
    if (!allowHttp && !isSafe(server)) throw new UnsafeServerError(server);
    const before = await this.store.read();
    if (before !== undefined && !again) throw new AlreadyEnrolledError(this.store.where, before.agentId);
    const key = await this.store.pendingKey(() => this.keys.make());
    const issued = await this.house.enroll(server, { token, csr: await this.keys.request(key), name, version });
    const identity = { ...issued, server, name, key };
    await this.store.write(identity);
    await this.store.forgetPending();
    return identity;
  }
}

function isSafe(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
