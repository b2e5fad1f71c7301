// `npm run chaos -- --seed S --seconds N`: TypeScript without a build, the server as it is built.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('../../scripts/swc-register.cjs');
require('reflect-metadata');
require('./main.ts');
