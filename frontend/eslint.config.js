import js from '@eslint/js';
import boundaries from 'eslint-plugin-boundaries';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const to = (type, captured) => ({ to: { element: { type, ...(captured && { captured }) } } });

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'coverage', 'src/api-types/*.d.ts', 'public/theme.js'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.strict, jsxA11y.flatConfigs.recommended],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      ...reactHooks.configs.recommended.rules,
      'max-lines': ['error', { max: 700, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 30],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      // A region that scrolls must be reachable with the keyboard.
      'jsx-a11y/no-noninteractive-tabindex': ['error', { tags: [], roles: ['region', 'tabpanel'] }],
      'jsx-a11y/label-has-associated-control': [
        'error',
        { controlComponents: ['TextInput', 'TextArea', 'Select'], depth: 3 },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      eqeqeq: ['error', 'smart'],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { boundaries },
    settings: {
      'import/resolver': { typescript: { project: './tsconfig.app.json' } },
      'boundaries/elements': [
        { type: 'app', pattern: 'src/app' },
        { type: 'feature', pattern: 'src/features/*', capture: ['feature'] },
        { type: 'shared', pattern: 'src/(components|lib|api-types)' },
      ],
    },
    rules: {
      'boundaries/dependencies': [
        'error',
        {
          default: 'disallow',
          policies: [
            { from: { element: { type: 'app' } }, allow: [to('app'), to('feature'), to('shared')] },
            {
              from: { element: { type: 'feature' } },
              allow: [
                to('shared'),
                to('feature', { feature: '{{from.element.captured.feature}}' }),
              ],
            },
            { from: { element: { type: 'shared' } }, allow: [to('shared')] },
          ],
        },
      ],
    },
  },
  { files: ['scripts/*.mjs', '*.js'], languageOptions: { globals: globals.node } },
);
