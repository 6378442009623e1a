import { useCallback, type ReactNode } from 'react';
import { useMedia } from '../../lib/media';
import { useTheme } from '../../lib/theme';
import { ChartPanel } from '../chart-panel';
import type { ToldFigure } from './told';
import { toldFigure } from './told-figure';
import { CROWDED_ROWS, MANY_ROWS } from './told-parts';

const ROW_PX = 44;
const BARS_PX = 96;

function rowPx(rows: number): number {
  if (rows > CROWDED_ROWS) return 9;
  return rows > MANY_ROWS ? 24 : ROW_PX;
}

const heightOf = ({ rows = [], series, kind }: ToldFigure) =>
  kind === 'steps'
    ? 220
    : rows.length > 0
      ? BARS_PX +
        rows.length * rowPx(rows.length) * (kind === 'grouped' ? Math.max(1, series.length / 2) : 1)
      : 340;

interface ToldChartProps {
  name: string;
  /** Nothing while there is none to draw. */
  figure: ToldFigure | null | undefined;
  empty?: string;
  className?: string;
  controls?: ReactNode;
}

/** One figure of an answer, or why there is none. */
export function ToldChart({ name, figure, empty, className, controls }: ToldChartProps) {
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  const build = useCallback(
    () => (figure ? toldFigure(figure, { theme, narrow }) : null),
    [figure, theme, narrow],
  );
  return (
    <ChartPanel
      name={name}
      build={build}
      height={figure ? heightOf(figure) : 340}
      empty={empty}
      className={className}
      controls={controls ?? (figure?.note && <p className="muted small">{figure.note}</p>)}
    />
  );
}

/** The figures of an answer, drawn from the series that its model gives. */
export function ToldFigures({ figures }: { figures: readonly ToldFigure[] }) {
  return figures.map((figure) => (
    <ToldChart key={figure.name} name={figure.name} figure={figure} />
  ));
}
