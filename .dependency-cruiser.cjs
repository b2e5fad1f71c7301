// The walls of the house, as dependency-cruiser rules.
//
// Reading order = floors, ground first. Each rule names what a room may lean on; whatever is not
// named is forbidden, so a new folder starts closed. The rules look at paths only: a file's place
// decides what it may import, never a suffix or a comment in it.
//
// `npm run lint` and test/architecture/walls.spec.ts run them; the latter also builds a small house with one wrong
// import for each rule and sees every one of them found.

// Every feature of the house, also those that are not built yet: a new one is added here in the same change.
const FEATURE =
  '(schedule|agent-run|evidence|drive-sync|webhook-renewal|parse-job-cleanup|notifications|survey-collaboration|evidence-classification|remote-agent|agent-program)';
const room = (name) => `^src/${FEATURE}/${name}/`;
const own = '^src/$1/'; // $1 = the feature that the importing file lives in
const frontDoor = `^src/${FEATURE}/index\\.ts$`;
const rule = (name, from, to) => ({ name, severity: 'error', from, to });

module.exports = {
  forbidden: [
    // -- ground -------------------------------------------------------------------------------
    rule('kernel-stands-alone', { path: '^src/kernel/' }, { pathNot: '^src/kernel/' }),
    rule(
      'platform-knows-no-feature',
      { path: '^src/platform/' },
      { path: `^src/(${FEATURE.slice(1, -1)}|scheduler)/` },
    ),

    // -- the inner ring of a feature ----------------------------------------------------------
    // Calendar arithmetic is domain knowledge: these three packages are pure and have no clock of their own.
    rule(
      'domain-is-pure',
      { path: room('domain') },
      { pathNot: [`${own}domain/`, '^src/kernel/', '^node_modules/(cron-parser|date-fns-tz|date-fns)/'] },
    ),
    rule('ports-speak-domain', { path: room('ports') }, { pathNot: [`${own}domain/`, '^src/kernel/'] }),
    rule(
      'usecases-see-ports-not-adapters',
      { path: room('usecases') },
      { pathNot: [`${own}(domain|ports|usecases)/`, '^src/kernel/'] },
    ),

    // -- the outer ring -----------------------------------------------------------------------
    rule(
      'inbound-calls-usecases-only',
      { path: room('inbound') },
      {
        path: '^src/',
        pathNot: [
          `${own}(usecases|domain|inbound)/`,
          '^src/kernel/',
          '^src/platform/(auth|cli|protocol|clock|metrics|health|sockets)',
          '^src/platform/outbox/(index|outbox-event)\\.ts$',
          frontDoor,
        ],
      },
    ),
    rule(
      'outbound-fills-ports-only',
      { path: room('outbound') },
      {
        path: '^src/',
        pathNot: [
          `${own}(ports|domain|outbound)/`,
          '^src/kernel/',
          '^src/platform/(persistence|http|crypto|metrics|sockets|host)',
          '^src/platform/protocol/wire-time\\.ts$',
          '^src/platform/outbox/index\\.ts$',
          frontDoor,
        ],
      },
    ),

    // -- between rooms ------------------------------------------------------------------------
    rule(
      'modules-meet-at-the-front-door',
      { path: `^src/${FEATURE}/` },
      { path: `^src/${FEATURE}/`, pathNot: [own, frontDoor] },
    ),
    rule(
      'only-the-module-file-composes',
      { path: '^src/', pathNot: ['\\.module\\.ts$', '/index\\.ts$', room('outbound')] },
      { path: room('outbound') },
    ),
    rule('scheduler-sees-front-doors', { path: '^src/scheduler/' }, { path: `^src/${FEATURE}/`, pathNot: frontDoor }),
    rule(
      'nobody-leans-on-the-scheduler',
      { path: '^src/', pathNot: ['^src/scheduler/', '^src/(app\\.module|cli)\\.ts$'] },
      { path: '^src/scheduler/' },
    ),

    // -- one place for each outside thing -----------------------------------------------------
    rule(
      'clock-only-at-the-doors',
      { path: '^src/', pathNot: [room('inbound'), '^src/scheduler/', '\\.module\\.ts$'] },
      { path: '^src/platform/clock' },
    ),
    rule(
      'config-only-where-things-are-wired',
      { path: '^src/', pathNot: ['\\.module\\.ts$', '^src/platform/', '^src/(main|cli|mcp)\\.ts$'] },
      { path: '^src/platform/config/' },
    ),
    rule(
      'typeorm-behind-persistence',
      { path: '^src/', pathNot: ['^src/platform/persistence/', '\\.row\\.ts$'] },
      { path: '(^|/)(typeorm|pg)(/|$)' },
    ),
    rule(
      'timers-only-in-the-scheduler',
      { path: '^src/', pathNot: '^src/scheduler/' },
      { path: '(^|/)@nestjs/schedule(/|$)' },
    ),

    rule(
      'wiring-only-in-module-files',
      { path: '^src/', pathNot: ['\\.module\\.ts$', '^src/platform/'] },
      { path: '^src/platform/wiring' },
    ),

    // -- packages -----------------------------------------------------------------------------
    // Types are erased: they may come from a package that the running house does not have.
    rule(
      'no-development-packages',
      { path: '^src/' },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'only-declared-packages',
      { path: '^src/' },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    ),
    rule('every-import-resolves', {}, { couldNotResolve: true }),

    // -- outside the house --------------------------------------------------------------------
    rule('src-knows-no-test', { path: '^src/' }, { path: '^(test|bench|scripts|examples)/' }),

    // -- tests that promise zero IO -----------------------------------------------------------
    rule(
      'zero-io-tests',
      { path: '^test/(domain|usecases)/' },
      {
        path: [
          '^src/platform/',
          room('(outbound|inbound)'),
          '(^|/)(@nestjs|typeorm|pg|supertest)(/|$)',
          '^test/support/(database|global|app)',
        ],
      },
    ),

    // -- everywhere ---------------------------------------------------------------------------
    rule('no-circles', {}, { circular: true }),
    // The test runner's two ends are named in jest.config.js only, the harness's clock is loaded before a program (node -r).
    rule(
      'no-orphans',
      { orphan: true, pathNot: '^test/(support/global-(setup|teardown)\\.ts|chaos/clock-offset\\.cjs)$' },
      {},
    ),
  ],
  options: {
    tsPreCompilationDeps: true, // type-only imports count: a circle of types is still a circle to a reader
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    // Packages whose parts are named in `exports` alone.
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default'] },
  },
};
