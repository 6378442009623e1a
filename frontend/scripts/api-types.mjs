// Writes src/api-types from the server's own description: the OpenAPI schema of the HTTP
// interface, and the result of plans.compare from its model.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TARGET = fileURLToPath(new URL('../src/api-types/', import.meta.url));
const PYTHON = process.env.PYTHON ?? join(ROOT, '.venv/bin/python');
const isCheck = process.argv.includes('--check');
const folder = mkdtempSync(join(tmpdir(), 'ampacity-types-'));

// The settings want an environment, and writing the schema uses none of it.
const env = {
  ...process.env,
  SECRET_KEY: 'only-to-write-the-schema-'.repeat(3),
  DATABASE_URL: 'postgres://app@127.0.0.1:1/none',
  BROKER_URL: 'redis://127.0.0.1:1/0',
  FRONTEND_DIST: folder,
  AMPACITY_VAR: folder,
  NUMBA_CACHE_DIR: folder,
};

function python(...args) {
  return execFileSync(PYTHON, args, { cwd: ROOT, env, encoding: 'utf8', maxBuffer: 2 ** 26 });
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

function put(name, text) {
  const path = join(TARGET, name);
  const head = '// Written by `npm run api-types`; do not edit.\n';
  if (!isCheck) {
    writeFileSync(path, head + text);
  } else if (readFileSync(path, 'utf8') !== head + text) {
    process.stderr.write(`${name} is not what the server says now: run npm run api-types.\n`);
    process.exitCode = 1;
  }
}

try {
  const file = join(folder, 'schema.yml');
  python('backend/manage.py', 'spectacular', '--file', file, '--validate');
  put('schema.d.ts', astToString(await openapiTS(readFileSync(file, 'utf8'))));
  const { result } = JSON.parse(python('-m', 'capmodels', 'schema', 'plans.compare'));
  put('comparison.d.ts', astToString(await openapiTS(fromJsonSchema(result))));
} finally {
  rmSync(folder, { recursive: true });
}
