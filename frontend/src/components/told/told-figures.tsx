import { useCallback, useState } from 'react';
import { useMedia } from '../../lib/media';
import { useTheme } from '../../lib/theme';
import { ChartPanel } from '../chart-panel';
import { Select } from '../control';
import type { ToldFigure } from './told';
import { toldFigure } from './told-figure';

const ROW_PX: Partial<Record<ToldFigure['kind'], number>> = {
  stacked: 44,
  grouped: 44,
  ranges: 26,
};
const BARS_PX = 96;
const PLOT_PX = 340;

function heightOf({ rows, series, kind }: ToldFigure) {
  const row = ROW_PX[kind];
  if (row === undefined) return PLOT_PX;
  return BARS_PX + rows.length * row * (kind === 'grouped' ? Math.max(1, series.length / 2) : 1);
}

/** One figure of those that have its name. */
function Shown({ figures }: { figures: readonly ToldFigure[] }) {
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  const [of, setOf] = useState<string | null>(null);
  const figure = figures.find((one) => one.of === of) ?? figures[0];
  const build = useCallback(
    () => (figure ? toldFigure(figure, { theme, narrow }) : null),
    [figure, theme, narrow],
  );
  if (!figure) return null;
  return (
    <ChartPanel
      name={figure.name}
      build={build}
      height={heightOf(figure)}
      controls={
        <>
          {figures.length > 1 && (
            <Select
              aria-label={`${figure.name}: of what`}
              value={figure.of ?? ''}
              choices={figures.map((one) => ({ value: one.of ?? '', label: one.of ?? '' }))}
              onChange={({ target }) => setOf(target.value)}
            />
          )}
          {figure.note && <p className="muted small">{figure.note}</p>}
        </>
      }
    />
  );
}

/** The figures of an answer, drawn from the series that its model gives. */
export function ToldFigures({ figures }: { figures: readonly ToldFigure[] }) {
  const names = [...new Set(figures.map(({ name }) => name))];
  return names.map((name) => (
    <Shown key={name} figures={figures.filter((one) => one.name === name)} />
  ));
}
