// Test support. What a spec file needs to know of the run's server; travels through the environment.
export interface TestServerAddress {
  /** Address of the template's server as the owner, its database name to be replaced. */
  readonly ownerUrl: string;
  readonly template: string;
  readonly login: { readonly user: string; readonly password: string };
}

const VARIABLE = 'HORARIUM_TEST_SERVER';

export function publish(address: TestServerAddress): void {
  process.env[VARIABLE] = JSON.stringify(address);
}

export function testServerAddress(): TestServerAddress {
  const text = process.env[VARIABLE];
  if (text === undefined)
    throw new Error('The tests have no database: run them through jest, whose global setup starts it.');
  return JSON.parse(text) as TestServerAddress;
}

export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

export function withCredentials(url: string, { user, password }: TestServerAddress['login']): string {
  const changed = new URL(url);
  changed.username = encodeURIComponent(user);
  changed.password = encodeURIComponent(password);
  return changed.href;
}
