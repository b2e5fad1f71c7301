// Platform, sockets. How long a connection may last: as long as what it signed in with. Neither for ever (checked once,
// at the start) nor cut off without a word: the client is told a minute before, and can hand in a new token.
import type { Clock } from '../../kernel/clock';
import { DomainError } from '../../kernel/domain-error';
import type { SignedIn } from '../auth';

export interface SessionLifeParts {
  readonly clock: Clock;
  authenticate(credential: string, now: Date): Promise<SignedIn>;
  say(event: 'auth:expiring' | 'auth:expired', expiresAt: Date): void;
  cut(): void;
}

const WARNED_BEFORE_MS = 60_000;
const CUT_AFTER_MS = 5_000;
const REVOCABLE_ASKED_EVERY_MS = 60_000;
/** A timer of Node holds no more; it is set again when it rings. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class SessionLife {
  private timer: NodeJS.Timeout | undefined;
  private recheck: NodeJS.Timeout | undefined;
  private warned = false;
  private over = false;
  private ended = false;

  constructor(
    private signedIn: SignedIn,
    private credential: string,
    private readonly parts: SessionLifeParts,
  ) {}

  get actor(): SignedIn['actor'] {
    return this.signedIn.actor;
  }

  get expiresAt(): Date | null {
    return this.signedIn.expiresAt;
  }

  /** Nothing but a new token is listened to any more. */
  get expired(): boolean {
    return this.over;
  }

  begin(): void {
    this.look();
    this.askAgain();
  }

  /** The same person goes on. */
  renew(signedIn: SignedIn, credential: string): void {
    this.signedIn = signedIn;
    this.credential = credential;
    this.warned = false;
    this.over = false;
    this.look();
  }

  end(): void {
    this.ended = true;
    clearTimeout(this.timer);
    clearTimeout(this.recheck);
  }

  private look(): void {
    clearTimeout(this.timer);
    const { expiresAt } = this.signedIn;
    if (this.ended || expiresAt === null) return;
    const left = expiresAt.getTime() - this.parts.clock.now().getTime();
    if (left <= 0) return this.expire(expiresAt);
    if (left <= WARNED_BEFORE_MS && !this.warned) {
      this.warned = true;
      this.parts.say('auth:expiring', expiresAt);
    }
    const pause = this.warned ? left : left - WARNED_BEFORE_MS;
    this.timer = setTimeout(() => this.look(), Math.min(pause, LONGEST_TIMER_MS));
  }

  private expire(expiresAt: Date): void {
    if (this.over) return;
    this.over = true;
    this.parts.say('auth:expired', expiresAt);
    this.timer = setTimeout(() => this.parts.cut(), CUT_AFTER_MS);
  }

  /** A key may be revoked at any time; a token is good until it ends. */
  private askAgain(): void {
    this.recheck = setTimeout(() => void this.ask(), REVOCABLE_ASKED_EVERY_MS);
  }

  private async ask(): Promise<void> {
    const { credential } = this;
    try {
      if (this.signedIn.revocable) await this.parts.authenticate(credential, this.parts.clock.now());
    } catch (error) {
      const gone = error instanceof DomainError && error.kind === 'unauthenticated';
      // A database that is away says nothing about the key.
      if (gone && !this.ended && credential === this.credential) this.expire(this.parts.clock.now());
    }
    if (!this.ended) this.askAgain();
  }
}
