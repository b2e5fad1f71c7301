#!/usr/bin/env node
// The command line; compiled by `npm ci` or `npm run build`.
const { existsSync } = require('node:fs');
const { basename, join } = require('node:path');

// A reader that has seen enough (`horarium runs | head`) is no fault.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
const compiled = join(__dirname, '../dist/cli.js');
if (existsSync(compiled)) {
  // Linked into the search path it is called by its name alone; everybody else has npx.
  const installed = basename(process.argv[1]) === 'horarium' && process.env.npm_command !== 'exec';
  const program = installed ? 'horarium' : 'npx horarium';
  require(compiled).runCli(process.argv.slice(2), { program });
} else {
  process.stderr.write('error: Horarium has not been built yet.\nhint: npm ci, or npm run build\n');
  process.exitCode = 9;
}
