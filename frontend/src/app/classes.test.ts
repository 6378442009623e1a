import { describe, expect, it } from 'vitest';

const FOUND = import.meta.glob<string>(
  ['../**/*.{ts,tsx,css}', '!../**/*.test.*', '!../**/*.d.ts'],
  { query: '?raw', import: 'default', eager: true },
);
const at = (path: string, from = '/src/app/') => new URL(path, `file://${from}`).pathname;
const FILES = Object.entries(FOUND).map(([path, text]): [string, string] => [at(path), text]);
const PAGES = FILES.filter(([path]) => /\.tsx?$/.test(path));
const STYLES = FILES.filter(([path]) => path.endsWith('.module.css'));
const PARTS = FILES.find(([path]) => path.endsWith('/parts.css'))?.[1] ?? '';

const found = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, name]) => name);

/** The classes that a file of styles has rules for. */
function classes(text: string): Set<string> {
  const css = text.replaceAll(/\/\*.*?\*\/|:global\([^)]*\)/gs, '');
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
  for (const [path, text] of PAGES) {
    for (const [, local, from] of text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)) {
      if (at(from ?? '', path) !== module) continue;
      found(text, new RegExp(`\\b${local}\\.(\\w+)`, 'g')).forEach((name) => names.add(name ?? ''));
      computed ||= text.includes(`${local}[`);
    }
  }
  return { names, computed };
}

describe('the classes of the pages', () => {
  it.each(STYLES)('are used and there: %s', (module, text) => {
    const { names, computed } = uses(module);
    const given = classes(text);
    names.delete('module');
    if (computed) return;
    expect([...given].filter((name) => !names.has(name))).toEqual([]);
    expect([...names].filter((name) => !given.has(name))).toEqual([]);
  });

  it('are used where they are shared', () => {
    expect(STYLES.length).toBeGreaterThan(10);
    expect(PARTS).not.toBe('');
    const text = [...PAGES, ...STYLES].map(([, one]) => one).join('\n');
    const words = new Set(text.split(/[^\w-]+/));
    const unused = [...classes(PARTS)].filter((name) => !words.has(name));
    expect(unused).toEqual([]);
  });
});
