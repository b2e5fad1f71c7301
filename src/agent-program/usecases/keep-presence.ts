// Use case. The life of an agent: speaks at the rhythm it is told, renews its certificate, finds its way back, and waits
// longer each time when the server is away. Ends when it is asked to, or when only a person can help.
import type { Clock } from '../../kernel/clock';
import { isFinal, NotEnrolledError, ServerAwayError } from '../domain/errors';
import { type KeptIdentity, nextStep } from '../domain/identity';
import { backOffSeconds } from '../domain/waiting';
import type { IdentityStore } from '../ports/identity-store';
import type { Keys } from '../ports/keys';
import type { Issued, Server } from '../ports/server';
import type { Surroundings } from './surroundings';

/** So many resets in a row, and our clock may be the one that is wrong: the server judges. */
const RESETS_UNTIL_RECOVERY = 5;
/** Renewals that fail do not keep an agent from speaking. */
const RENEW_AGAIN_SECONDS = 60;

export class KeepPresence {
  private failures = 0;
  private resets = 0;
  private spreadSeconds = 0;
  private renewNotBefore = 0;
  private connected = false;

  constructor(
    private readonly store: IdentityStore,
    private readonly keys: Keys,
    private readonly house: Server,
    private readonly clock: Clock,
    private readonly around: Surroundings,
  ) {}

  /** The identity as it is at the moment; it changes with each renewal. @throws NotEnrolledError */
  async identity(): Promise<KeptIdentity> {
    const identity = await this.store.read();
    if (identity === undefined) throw new NotEnrolledError(this.store.where);
    return identity;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const seconds = await this.step(await this.identity());
      if (seconds > 0) await this.around.wait(seconds, signal);
    }
    this.house.close();
  }

  /** Answers after how many seconds the next one is due. */
  private async step(identity: KeptIdentity): Promise<number> {
    const now = this.clock.now();
    const due = this.resets >= RESETS_UNTIL_RECOVERY ? 'recover' : nextStep(identity, now);
    try {
      if (due === 'recover') return await this.recover(identity);
      if (due === 'renew' && (await this.renew(identity, now))) return 0;
      return await this.beat(identity, now);
    } catch (error) {
      if (isFinal(error)) throw error;
      return this.later(error);
    }
  }

  private async beat(identity: KeptIdentity, now: Date): Promise<number> {
    // A kept connection that the server closes at this moment is no fault of anybody's: once more, at once.
    const heard = await this.house.heartbeat(identity, now).catch((error: unknown) => {
      if (!this.connected || !(error instanceof ServerAwayError) || !error.reset) throw error;
      return this.house.heartbeat(identity, now);
    });
    if (!this.connected) this.around.say(`connected to ${identity.agentUrl} as agent ${identity.agentId}`);
    this.connected = true;
    this.failures = this.resets = 0;
    this.spreadSeconds = heard.reconnectSpreadSeconds;
    if (heard.renew && (await this.renew(identity, now))) return 0;
    return heard.nextHeartbeatSeconds;
  }

  /** False: not now; the old certificate is still good. */
  private async renew(identity: KeptIdentity, now: Date): Promise<boolean> {
    if (now.getTime() < this.renewNotBefore) return false;
    const key = await this.keys.make();
    try {
      await this.keep(identity, key, await this.house.renew(identity, await this.keys.request(key)));
    } catch (error) {
      if (isFinal(error)) throw error;
      this.renewNotBefore = now.getTime() + RENEW_AGAIN_SECONDS * 1_000;
      this.around.say(`the certificate could not be renewed yet: ${reason(error)}`);
      return false;
    }
    this.around.say('the certificate was renewed');
    return true;
  }

  private async recover(identity: KeptIdentity): Promise<number> {
    const key = await this.keys.make();
    const csr = await this.keys.request(key);
    const proof = this.keys.prove(identity.key, csr);
    const issued = await this.house.recover(identity.server, { certificate: identity.certificate, csr, ...proof });
    await this.keep(identity, key, issued);
    this.failures = this.resets = 0;
    this.around.say('a new certificate was given for the one that had ended');
    return 0;
  }

  /** Before it is used for the first time: an answer that is used and then lost would make us a copy of ourselves. */
  private async keep(identity: KeptIdentity, key: string, issued: Issued): Promise<void> {
    await this.store.write({ ...identity, ...issued, key });
    this.house.close();
  }

  private later(error: unknown): number {
    this.failures += 1;
    if (error instanceof ServerAwayError && error.reset) this.resets += 1;
    const seconds = backOffSeconds(this.failures, this.spreadSeconds, this.around.chance());
    if (this.connected || this.failures === 1) this.around.say(`${reason(error)}; trying again`);
    this.connected = false;
    return seconds;
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
