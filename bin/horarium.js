#!/usr/bin/env node
// The command line; compiled by `npm ci` or `npm run build`.
// A reader that has seen enough (`horarium runs | head`) is no fault.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
require('../dist/cli.js').runCli(process.argv.slice(2));
