import type { Figure } from '../../lib/figure';
import { quantity } from '../../lib/format';
import { plotText } from '../../lib/plotting';
import type { Theme } from '../../lib/tokens';
import type { ToldFigure } from './told';
import { axisOf } from './told-axis';

export interface Options {
  theme: Theme;
  narrow: boolean;
}

export type Series = ToldFigure['series'][number];
export type Axis = ToldFigure['along'];

export const NO_ROLE = { role: '' } as Series;
export const SYMBOLS = ['circle', 'square', 'diamond', 'cross', 'x'] as const;
/** More rows are drawn close together; of still more, every fifth is named. */
export const MANY_ROWS = 12;
export const CROWDED_ROWS = 30;
export const UNTITLED = { title: '', unit: '', is_log: false } satisfies Axis;

export const numbers = (values: readonly (number | null)[]) =>
  values.filter((value): value is number => value !== null);

export const textOf = (axis: Axis, value: number | null) => quantity(value, axis.unit);

export const kindOf = ({ kinds }: Series, at: number) =>
  kinds[at] === undefined ? '' : `<br>${plotText(kinds[at])}`;

/** Marks say what points are, where a figure tells kinds of them apart. */
export const symbolsOf = ({ kinds: all }: ToldFigure, { kinds }: Series) =>
  kinds.length > 0
    ? kinds.map((kind) => SYMBOLS[Math.max(0, all.indexOf(kind))] ?? 'circle')
    : undefined;

export function axes(
  of: ToldFigure,
  xs: readonly number[],
  ys: readonly number[],
): Figure['layout'] {
  const { series, along, across } = of;
  return {
    margin: { l: 72, r: 20, t: 12, b: 48 },
    showlegend: series.length > 1,
    xaxis: axisOf(across ?? UNTITLED, xs, false),
    yaxis: axisOf(along, ys, true),
  };
}
