// node scripts/lint-schema.mjs FILE: Redocly's recommended rules on the API's schema; any error or warning fails.
import { createConfig, formatProblems, getTotals, lint } from '@redocly/openapi-core';

const [file] = process.argv.slice(2);
const config = await createConfig({ extends: ['recommended'] });
const problems = await lint({ ref: file, config });
const { errors, warnings } = getTotals(problems);
if (errors + warnings > 0) {
  formatProblems(problems, {
    format: 'codeframe',
    totals: { errors, warnings, ignored: 0 },
    maxProblems: 20,
  });
  process.exit(1);
}
