import { candidates } from '../../../src/platform/embedded/run-as';

const user = (name: string, uid: number) => ({ name, uid, gid: uid });
const names = (users: ReturnType<typeof candidates>): string[] => users.map(({ name }) => name);

describe('the user that PostgreSQL runs as, started as root', () => {
  const root = user('root', 0);
  const daemon = user('daemon', 1);
  const mail = user('mail', 8);
  const postgres = user('postgres', 101);
  const nobody = user('nobody', 65534);
  const alice = user('alice', 1000);

  it('is its own when there is one', () => {
    expect(names(candidates([root, daemon, nobody, postgres], ['nobody']))[0]).toBe('postgres');
    expect(names(candidates([root, daemon, nobody, user('_postgres', 216)], ['nobody']))[0]).toBe('_postgres');
  });

  it('is a system user that agents are not, and a person never', () => {
    expect(names(candidates([root, alice, nobody, mail, daemon], ['nobody']))).toEqual(['daemon', 'mail', 'nobody']);
    expect(names(candidates([root, nobody, mail], ['nobody']))).toEqual(['mail', 'nobody']);
    expect(names(candidates([root, postgres, daemon, nobody], ['postgres']))).toEqual(['daemon', 'nobody', 'postgres']);
  });

  it('is nobody only when there is nothing else', () => {
    expect(names(candidates([root, nobody, alice], ['nobody']))).toEqual(['nobody']);
    expect(candidates([root, alice], ['nobody'])).toEqual([]);
  });
});
