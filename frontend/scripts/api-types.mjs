// Writes src/api-types from the server's own description: the HTTP interface from its OpenAPI
// schema, the result of plans.compare from its model. With --check it only compares.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TARGET = fileURLToPath(new URL('../src/api-types/comparison.d.ts', import.meta.url));
const PYTHON = process.env.PYTHON ?? join(ROOT, '.venv/bin/python');
const HEAD = '// Written by `npm run api-types`; do not edit.\n';
const isCheck = process.argv.includes('--check');

function python(...args) {
  return execFileSync(PYTHON, ['-m', ...args], { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 });
}

function fromJsonSchema(schema) {
  const text = JSON.stringify(schema).replaceAll('#/$defs/', '#/components/schemas/');
  const { $defs: parts, ...whole } = JSON.parse(text);
  return {
    openapi: '3.1.0',
    info: { title: 'Result of plans.compare', version: '1' },
    paths: {},
    components: { schemas: { ...parts, Comparison: whole } },
  };
}

python('ops.api_types', ...(isCheck ? ['--check'] : []));
const { result } = JSON.parse(python('capmodels', 'schema', 'plans.compare'));
const text = HEAD + astToString(await openapiTS(fromJsonSchema(result)));
if (!isCheck) {
  writeFileSync(TARGET, text);
} else if (readFileSync(TARGET, 'utf8') !== text) {
  process.stderr.write('comparison.d.ts is out of date: run npm run api-types.\n');
  process.exitCode = 1;
}
