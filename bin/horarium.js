#!/usr/bin/env node
// The command line; compiled by `npm ci` or `npm run build`.
require('../dist/cli.js');
