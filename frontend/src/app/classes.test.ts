import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = normalize(join(dirname(fileURLToPath(import.meta.url)), '..'));
const read = (path: string) => readFileSync(join(SRC, path), 'utf8');
const found = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, name]) => name);

const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' });
const PAGES = FILES.filter((path) => /(?<!\.d)\.tsx?$/.test(path));
const MODULES = FILES.filter((path) => path.endsWith('.module.css'));

/** The classes that a file of styles has rules for. */
function classes(path: string): Set<string> {
  const css = read(path).replaceAll(/\/\*.*?\*\/|:global\([^)]*\)/gs, '');
  const selectors = found(css, /([^{};]+)\{/g).filter((one) => !one?.includes('@'));
  return new Set(found(selectors.join(' '), /\.([a-z][\w-]*)/gi) as string[]);
}

interface Use {
  names: Set<string>;
  /** A name is put together as the page runs. */
  computed: boolean;
}

function uses(module: string): Use {
  const names = new Set<string>();
  let computed = false;
  for (const path of PAGES) {
    const text = read(path);
    for (const [, local, from] of text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)) {
      if (normalize(join(dirname(path), from ?? '')) !== module) continue;
      found(text, new RegExp(`\\b${local}\\.(\\w+)`, 'g')).forEach((name) => names.add(name ?? ''));
      computed ||= text.includes(`${local}[`);
    }
  }
  return { names, computed };
}

describe('the classes of the pages', () => {
  it.each(MODULES)('are used and there: %s', (module) => {
    const { names, computed } = uses(module);
    const given = classes(module);
    names.delete('module');
    if (computed) return;
    expect([...given].filter((name) => !names.has(name))).toEqual([]);
    expect([...names].filter((name) => !given.has(name))).toEqual([]);
  });

  it('are used where they are shared', () => {
    const text = [...PAGES, ...MODULES].map(read).join('\n');
    const words = new Set(text.split(/[^\w-]+/));
    const unused = [...classes('app/parts.css')].filter((name) => !words.has(name));
    expect(unused).toEqual([]);
  });
});
