// Runs TypeScript without a build: `node -r ./scripts/swc-register.cjs file.ts` (ormconfig.ts, scripts, benchmarks).
const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');
const options = require('./swc-options.cjs');

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    swcrc: false,
    configFile: false,
    ...options,
  });
  module._compile(code, filename);
};
