// Test support. Once for each run: a PostgreSQL with one migrated template database, which spec files clone
// (database.ts). A throw-away cluster, in memory where there is a tmpfs; or the server of TEST_DATABASE_URL.
import { keepTestServer, ordinaryServer, throwAwayServer } from './test-server';
import { publish } from './test-server-address';

export default async function globalSetup(): Promise<void> {
  const ordinary = process.env.TEST_DATABASE_URL;
  const server = ordinary ? await ordinaryServer(ordinary) : await throwAwayServer();
  keepTestServer(server);
  // Workers are started later, and inherit the environment.
  publish(server.address);
}
