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
}
type Causes = (Shades & { id: string; side: string })[];

const NAME = 'virtual:tokens.css';
const TOKENS = fileURLToPath(new URL('./src/tokens.json', import.meta.url));
const CAUSES = fileURLToPath(new URL('./src/api-types/causes.json', import.meta.url));

function declarations(tokens: Tokens, causes: Causes, theme: 'light' | 'dark'): string {
  const named = Object.entries(tokens.themes[theme]).map(([name, value]) => `--${name}:${value}`);
  const designs = tokens.designs.map((design) => `--design-${design.letter}:${design[theme]}`);
  const tints = causes.map((cause) => `--cause-${cause.side}-${cause.id}:${cause[theme]}`);
  return [...named, ...designs, ...tints, `color-scheme:${theme}`].join(';');
}

/** The colours of designs, themes and causes as CSS variables, so that style sheets and charts share one list. */
export function tokensCss(): Plugin {
  return {
    name: 'tokens-css',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load(id) {
      if (id !== `\0${NAME}`) return null;
      this.addWatchFile(TOKENS);
      this.addWatchFile(CAUSES);
      const tokens = JSON.parse(readFileSync(TOKENS, 'utf8')) as Tokens;
      const causes = JSON.parse(readFileSync(CAUSES, 'utf8')) as Causes;
      return (
        `:root{${declarations(tokens, causes, 'light')}}` +
        `:root[data-theme=dark]{${declarations(tokens, causes, 'dark')}}`
      );
    },
  };
}
