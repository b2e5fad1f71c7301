// One set of compiler options for the test runner and for running a TypeScript file without a build.
module.exports = {
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
  jsc: {
    target: 'es2023',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};
