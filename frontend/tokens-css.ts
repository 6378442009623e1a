import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

interface Shades {
  light: string;
  dark: string;
}
interface Tokens {
  themes: Record<'light' | 'dark', Record<string, string>>;
  designs: (Shades & { letter: string })[];
  causes: (Shades & { id: string; side: string })[];
}

const NAME = 'virtual:tokens.css';
const FILE = fileURLToPath(new URL('./src/tokens.json', import.meta.url));

function declarations(tokens: Tokens, theme: 'light' | 'dark'): string {
  const named = Object.entries(tokens.themes[theme]).map(([name, value]) => `--${name}:${value}`);
  const designs = tokens.designs.map((design) => `--design-${design.letter}:${design[theme]}`);
  const causes = tokens.causes.map((cause) => `--cause-${cause.side}-${cause.id}:${cause[theme]}`);
  return [...named, ...designs, ...causes, `color-scheme:${theme}`].join(';');
}

/** The colours of tokens.json as CSS variables, so that style sheets and charts share one list. */
export function tokensCss(): Plugin {
  return {
    name: 'tokens-css',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load(id) {
      if (id !== `\0${NAME}`) return null;
      this.addWatchFile(FILE);
      const tokens = JSON.parse(readFileSync(FILE, 'utf8')) as Tokens;
      return (
        `:root{${declarations(tokens, 'light')}}` +
        `:root[data-theme=dark]{${declarations(tokens, 'dark')}}`
      );
    },
  };
}
