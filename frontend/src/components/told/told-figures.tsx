import { useCallback } from 'react';
import { useMedia } from '../../lib/media';
import { useTheme } from '../../lib/theme';
import { ChartPanel } from '../chart-panel';
import type { ToldFigure } from './told';
import { toldFigure } from './told-figure';

const ROW_PX = 44;
const BARS_PX = 96;

const heightOf = ({ rows = [], series, kind }: ToldFigure) =>
  rows.length > 0
    ? BARS_PX + rows.length * ROW_PX * (kind === 'grouped' ? Math.max(1, series.length / 2) : 1)
    : 340;

function Shown({ figure }: { figure: ToldFigure }) {
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  const build = useCallback(() => toldFigure(figure, { theme, narrow }), [figure, theme, narrow]);
  return (
    <ChartPanel
      name={figure.name}
      build={build}
      height={heightOf(figure)}
      controls={figure.note && <p className="muted small">{figure.note}</p>}
    />
  );
}

/** The figures of an answer, drawn from the series that its model gives. */
export function ToldFigures({ figures }: { figures: readonly ToldFigure[] }) {
  return figures.map((figure) => <Shown key={figure.name} figure={figure} />);
}
