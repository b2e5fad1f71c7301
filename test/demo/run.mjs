// `npm run demo:drive`: TypeScript without a build, the server as it is built.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('../../scripts/swc-register.cjs');
require('./main.ts');
