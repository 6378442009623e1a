import { useCallback, useState, type ReactNode } from 'react';
import type { Currency } from '../../lib/format';
import { useMedia } from '../../lib/media';
import { useTheme } from '../../lib/theme';
import { ChartPanel } from '../chart-panel';
import { Select } from '../control';
import type { ToldFigure } from './told';
import { toldFigure } from './told-figure';
import { areLong, CROWDED_ROWS, MANY_ROWS } from './told-rows';

const ROW_PX: Partial<Record<ToldFigure['kind'], number>> = {
  stacked: 44,
  grouped: 44,
  ranges: 26,
};
const LONG_ROW_PX = 34;
const BARS_PX = 96;
const PLOT_PX = 340;
const MAP_PX = 480;
const STEPS_PX = 220;

function heightOf({ rows, series, kind }: ToldFigure) {
  const row = ROW_PX[kind];
  if (kind === 'regions') return MAP_PX;
  if (kind === 'ranges' && areLong(rows)) return BARS_PX + rows.length * LONG_ROW_PX;
  if (row === undefined) return kind === 'steps' ? STEPS_PX : PLOT_PX;
  const close = rows.length > CROWDED_ROWS ? 9 : rows.length > MANY_ROWS ? 24 : row;
  return BARS_PX + rows.length * close * (kind === 'grouped' ? Math.max(1, series.length / 2) : 1);
}

interface ToldChartProps {
  name: string;
  /** Nothing while there is none to draw. */
  figure: ToldFigure | null | undefined;
  empty?: string;
  className?: string;
  controls?: ReactNode;
  /** The controls beside the name, where height is dear. */
  isTight?: boolean;
  height?: number;
  currency?: Currency;
  /** Whether a slider is held: axes keep still. */
  held?: boolean;
  revision?: number;
  /** Whether what its values are stands in its head, not at their axis. */
  measured?: boolean;
  /** Whether there is little room for it, also on a wide screen. */
  small?: boolean;
  /** A place of it was pressed, by what its axes count. */
  onPoint?: (x: number, y: number) => void;
}

/** One figure of an answer, or why there is none. */
export function ToldChart({ figure, controls, height, measured, small, ...panel }: ToldChartProps) {
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)') || small === true;
  const { currency } = panel;
  const build = useCallback(() => {
    if (!figure || figure.series.length === 0) return null;
    const { along } = figure;
    const shown = measured ? { ...figure, along: { ...along, title: '' } } : figure;
    return toldFigure(shown, { theme, narrow, currency, height: height ?? heightOf(figure) });
  }, [figure, theme, narrow, currency, measured, height]);
  const measure = figure?.along.title;
  return (
    <ChartPanel
      {...panel}
      measure={measured && measure !== panel.name ? measure : undefined}
      build={build}
      height={height ?? (figure ? heightOf(figure) : PLOT_PX)}
      controls={
        <>
          {controls}
          {figure?.note?.split('\n').map((line) => (
            <p key={line} className="muted small">
              {line}
            </p>
          ))}
        </>
      }
    />
  );
}

interface FiguresProps {
  figures: readonly ToldFigure[];
  currency?: Currency;
}

/** One figure of those that have its name. */
function Shown({ name, figures, currency }: FiguresProps & { name: string }) {
  const [of, setOf] = useState<string | null>(null);
  const figure = figures.find((one) => one.of === of) ?? figures[0];
  const choice = (
    <Select
      aria-label={`${name}: of what`}
      value={figure?.of ?? ''}
      choices={figures.map((one) => ({ value: one.of ?? '', label: one.of ?? '' }))}
      onChange={({ target }) => setOf(target.value)}
    />
  );
  return (
    <ToldChart
      name={name}
      figure={figure}
      currency={currency}
      controls={figures.length > 1 && choice}
    />
  );
}

/** The figures of an answer, drawn from the series that its model gives. */
export function ToldFigures({ figures, currency }: FiguresProps) {
  const names = [...new Set(figures.map(({ name }) => name))];
  return names.map((name) => (
    <Shown
      key={name}
      name={name}
      figures={figures.filter((one) => one.name === name)}
      currency={currency}
    />
  ));
}
