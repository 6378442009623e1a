import { sampled } from '../../lib/plotting';
import { designLetters, designLook, type Theme } from '../../lib/tokens';
import type { ToldFigure } from './told';

/** What a drive does, from working to deep asleep, and what takes energy beside it. */
const STATES: Record<string, Record<Theme, string>> = {
  active: { light: '#0B5C94', dark: '#4BA3E0' },
  seek: { light: '#56A5DB', dark: '#9AD4F7' },
  idle: { light: '#9DB4C8', dark: '#62778C' },
  low_power_idle: { light: '#C6D3DF', dark: '#475665' },
  standby: { light: '#E2E7ED', dark: '#333D48' },
  transition: { light: '#E69F00', dark: '#F0B429' },
  solid_state_cache: { light: '#1B7F5C', dark: '#4FC29A' },
};

/** Lines and marks: of a design its own, others in turn. */
export function lookOf({ role }: ToldFigure['series'][number], at: number, theme: Theme) {
  const letter = designLetters.find((one) => one === role);
  return designLook(letter ?? designLetters[at % designLetters.length] ?? 'A', theme);
}

/** Colours of series that are parts of a whole: of states their own, others as far apart as can be. */
export function fillsOf(series: ToldFigure['series'], theme: Theme): string[] {
  const apart = sampled(series.length, theme);
  return series.map(({ role }, at) => STATES[role]?.[theme] ?? apart[at] ?? '');
}
