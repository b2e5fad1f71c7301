import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const clock = 'The clock is read in src/platform/clock.ts only: take `now` as an argument, or a Clock.';

export default tseslint.config(
  { ignores: ['dist/', 'coverage/', '.horarium/', '**/*.cjs', '**/*.mjs', '*.config.js', 'bin/', 'examples/'] },
  js.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      // It would turn the types of injected parameters into type-only imports, and injection would break.
      '@typescript-eslint/consistent-type-imports': 'off',
      // A port and its token share one name on purpose: one import serves type and injection.
      'no-redeclare': 'off',
      '@typescript-eslint/no-redeclare': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: clock },
        { selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']", message: clock },
      ],
    },
  },
  { files: ['src/platform/clock.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      'no-restricted-syntax': 'off',
    },
  },
);
