const swc = require('./scripts/swc-options.cjs');

// jose is published as ES modules only, which the test runner's loader cannot require: it is compiled like our own.
const compiled = 'jose';
const folder = (name, more = {}) => ({
  displayName: name,
  rootDir: __dirname,
  testEnvironment: 'node',
  moduleFileExtensions: ['ts', 'js', 'cjs', 'json'],
  transform: { '^.+\\.[jt]s$': ['@swc/jest', swc] },
  transformIgnorePatterns: [`/node_modules/(?!(${compiled})/)`],
  testMatch: [`<rootDir>/test/${name}/**/*.spec.ts`],
  setupFiles: ['reflect-metadata'],
  ...more,
});

/** @type {import('jest').Config} */
module.exports = {
  maxWorkers: 2,
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.ts'],
  workerIdleMemoryLimit: '1GB',
  testTimeout: 60_000,
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  projects: [
    'architecture',
    'domain',
    'usecases',
    'platform',
    'contract',
    'race',
    'e2e',
    'engine',
    'browser',
    'redis',
    'agents',
    'chaos',
  ].map((name) => folder(name)),
};
