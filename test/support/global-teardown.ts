// Test support. The other end of global-setup.ts.
import { closeTestServer } from './test-server';

export default closeTestServer;
