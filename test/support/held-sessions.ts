// Test support. Sessions of which a test can hold one at its barrier: all its statements are done, its locks are taken,
// and it has not committed. What others do meanwhile is what the race is about.
import type { DataSource } from 'typeorm';
import type { Actor } from '../../src/kernel/actor';
import { Sessions, type SessionOptions, type Tx } from '../../src/platform/persistence/sessions';

export const PERSON = 'a person';

export interface HeldTransaction {
  /** Resolves when the transaction has come to the barrier. */
  readonly reached: Promise<void>;
  /** Lets it commit. */
  release(): void;
}

/** On a busy machine a contender needs more than the two seconds of life to come to its lock. */
const PATIENT = { lock_timeout: '25s', idle_in_transaction_session_timeout: '25s' };

export class HeldSessions extends Sessions {
  private readonly barriers: { by: string; skip: number; reach: () => void; released: Promise<void> }[] = [];

  /** `inLife`: with the time limits that the statements have outside of tests. */
  constructor(
    source: DataSource,
    private readonly limits: 'patient' | 'inLife' = 'patient',
  ) {
    super(source);
  }

  /** Holds the next transaction of somebody, after letting `skip` of theirs pass. The house's are known by their reason. */
  holdNext(by: typeof PERSON | `dispatch: ${string}` | `surveys: ${string}`, skip = 0): HeldTransaction {
    let reach = (): void => undefined;
    let release = (): void => undefined;
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const released = new Promise<void>((resolve) => (release = resolve));
    this.barriers.push({ by, skip, reach, released });
    return { reached, release };
  }

  override run<T>(actor: Actor, work: (tx: Tx) => Promise<T>, asked: SessionOptions = {}): Promise<T> {
    const options = this.limits === 'inLife' ? asked : { ...asked, settings: { ...asked.settings, ...PATIENT } };
    const name = actor.type === 'system' ? actor.reason : PERSON;
    const index = this.barriers.findIndex(({ by }) => by === name);
    const found = this.barriers[index];
    const barrier = found !== undefined && found.skip-- === 0 ? found : undefined;
    if (barrier !== undefined) this.barriers.splice(index, 1);
    if (barrier === undefined) return super.run(actor, work, options);
    const held = async (tx: Tx): Promise<T> => {
      const result = await work(tx);
      barrier.reach();
      await barrier.released;
      return result;
    };
    return super.run(actor, held, options);
  }
}
