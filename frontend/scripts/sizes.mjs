// What a browser loads before any chart: the entry and everything it imports statically.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const LIMIT_KB = 230;
const DIST = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');

const page = join(DIST, 'index.html');
if (!existsSync(page)) {
  console.error('The pages are not built: run npm run build.');
  process.exit(2);
}

const STATIC_IMPORT = /(?:import|export)\s*(?:[\w*{}\s,$]+?from\s*)?["'](\.{1,2}\/[^"']+\.js)["']/g;
const seen = new Set();

function visit(file) {
  if (seen.has(file)) return;
  seen.add(file);
  for (const match of readFileSync(file, 'utf8').matchAll(STATIC_IMPORT)) {
    visit(join(dirname(file), match[1]));
  }
}

const html = readFileSync(page, 'utf8');
for (const match of html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)) visit(join(DIST, match[1]));

const sizes = [...seen].map((file) => [file, gzipSync(readFileSync(file)).length]);
const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0) / 1000;
for (const [file, bytes] of sizes) {
  console.log(`${(bytes / 1000).toFixed(1).padStart(8)} kB  ${file.slice(DIST.length + 1)}`);
}
console.log(
  `${total.toFixed(1).padStart(8)} kB  script before Plotly, gzip; must be ${LIMIT_KB} kB or less`,
);
if (seen.size === 0 || sizes.some(([file]) => file.includes('plotly')) || total > LIMIT_KB) {
  process.exit(1);
}
