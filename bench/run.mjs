// `npm run bench -- <name>`: runs one benchmark of this folder, TypeScript without a build.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('../scripts/swc-register.cjs');
require('reflect-metadata');
require('./main.ts');
