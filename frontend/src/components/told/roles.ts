import { sampled } from '../../lib/plotting';
import { designLetters, designLook, stateColor, type Theme } from '../../lib/tokens';
import type { ToldFigure } from './told';

/** Lines and marks: of a design its own, others in turn. */
export function lookOf({ role }: ToldFigure['series'][number], at: number, theme: Theme) {
  const letter = designLetters.find((one) => one === role);
  return designLook(letter ?? designLetters[at % designLetters.length] ?? 'A', theme);
}

/** Colours of series that are parts of a whole: of states their own, others as far apart as can be. */
export function fillsOf(series: ToldFigure['series'], theme: Theme): string[] {
  const apart = sampled(series.length, theme);
  return series.map(({ role }, at) => stateColor(role, theme) ?? apart[at] ?? '');
}
