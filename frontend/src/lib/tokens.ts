import causes from '../api-types/causes.json';
import tokens from '../tokens.json';

export type Theme = 'light' | 'dark';
export type Side = 'owned' | 'rented';

interface DesignLook {
  color: string;
  dashPx: readonly number[];
  marker: string;
}

const LETTERS = tokens.designs.map((design) => design.letter);

/** How a design is drawn, everywhere: by its letter. Letters past the list start over. */
export function designLook(letter: string, theme: Theme): DesignLook {
  const index = Math.max(0, LETTERS.indexOf(letter));
  const design = tokens.designs[index % tokens.designs.length] ?? tokens.designs[0];
  if (!design) throw new Error('tokens.json lists no designs.');
  return { color: design[theme], dashPx: design.dash_px, marker: design.marker };
}

/** Cloud causes may arrive as `cloud_staff`; the tint and label are those of `staff`, rented. */
export function causeKey(cause: string): string {
  return cause.replace(/^cloud_/, '');
}

export function causeOrder(side: Side, cause: string): number {
  const index = causes.findIndex((entry) => entry.side === side && entry.id === causeKey(cause));
  return index < 0 ? causes.length : index;
}

export function causeColor(side: Side, cause: string, theme: Theme): string {
  const entry = causes[causeOrder(side, cause)];
  return entry?.[theme] ?? tokens.themes[theme].neutral;
}

/** One of the tints of parts that are no causes of cost, from dark to light. */
export function tintColor(at: number, theme: Theme): string {
  return causeColor('owned', tokens.tints[at % tokens.tints.length] ?? '', theme);
}

export function causeLabel(side: Side, cause: string): string {
  const known = causes[causeOrder(side, cause)]?.label;
  return known ?? cause.charAt(0).toUpperCase() + cause.slice(1).replaceAll('_', ' ');
}

const STATES: Partial<Record<string, Record<Theme, string>>> = tokens.states;

/** What a drive does, from working to deep asleep, and what takes energy beside it. */
export const stateColor = (state: string, theme: Theme) => STATES[state]?.[theme];

export const palette = tokens.themes;
export const chartTokens = tokens.chart;
export const numberTokens = tokens.numbers;
export const fontFamily = [tokens.font.family, ...tokens.font.fallback].join(', ');
export const designLetters: readonly string[] = LETTERS;
