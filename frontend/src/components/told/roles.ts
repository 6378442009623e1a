import { sampled } from '../../lib/plotting';
import {
  causeColor,
  designLetters,
  designLook,
  palette,
  stateColor,
  tintColor,
  type Theme,
} from '../../lib/tokens';
import type { ToldFigure } from './told';

/** Lines and marks: of a design its own, others in turn. */
export function lookOf({ role }: ToldFigure['series'][number], at: number, theme: Theme) {
  // A figure of a source, and a model's that is further off than it.
  if (role === 'printed') return { color: palette[theme].text, dashPx: [], marker: 'line-ns-open' };
  if (role === 'apart') return { color: palette[theme].bad, dashPx: [], marker: 'x' };
  if (role === 'actual') return { color: palette[theme].text, dashPx: [], marker: 'circle' };
  const letter = designLetters.find((one) => one === role);
  return designLook(letter ?? designLetters[at % designLetters.length] ?? 'A', theme);
}

/** The colour of a cause of cost, by its side, and of other parts by a tint of the same family. */
function partColor(role: string, theme: Theme): string | undefined {
  const [side, name = ''] = role.split('/');
  if (side === 'tint') return tintColor(Number(name), theme);
  return side === 'owned' || side === 'rented' ? causeColor(side, name, theme) : undefined;
}

/** Colours of series that are parts of a whole: of states their own, others as far apart as can be. */
export function fillsOf(series: readonly ToldFigure['series'][number][], theme: Theme): string[] {
  const apart = sampled(series.length, theme);
  const own = series.map(
    ({ role }, at) => stateColor(role, theme) ?? partColor(role, theme) ?? apart[at] ?? '',
  );
  // No two parts have one colour: where tints do not suffice, all are as far apart as can be.
  return new Set(own).size < own.length ? apart : own;
}
