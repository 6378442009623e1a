import { useCallback } from 'react';
import { ChartPanel } from '../../../components/chart-panel';
import type { Figure } from '../../../lib/figure';
import { useMedia } from '../../../lib/media';
import { useTheme } from '../../../lib/theme';
import type { Charts } from '../charts';
import { gapsFigure, rateFigure, responsesFigure } from '../figures/block';
import { footprintFigure, sizesFigure } from '../figures/block-bars';
import type { TraceFigureOptions } from '../figures/options';
import { pointsFigure } from '../figures/points';
import {
  bandFigure,
  heatFigure,
  hoursFigure,
  memoryFigure,
  powerFigure,
} from '../figures/utilization';
import styles from './traces.module.css';

interface Drawn {
  name: string;
  wide?: boolean;
  build: (charts: Charts, options: TraceFigureOptions) => Figure | null;
  has: (charts: Charts) => boolean;
}

/** Every chart that a trace may have, in their order; a kind shows those that it has. */
const PANELS: Drawn[] = [
  {
    name: 'Requests over time',
    wide: true,
    has: (charts) => !!charts.rate,
    build: (charts, options) => (charts.rate ? rateFigure(charts.rate, options) : null),
  },
  {
    name: 'Gaps between requests',
    has: (charts) => !!charts.gaps,
    build: (charts, options) => (charts.gaps ? gapsFigure(charts.gaps, options) : null),
  },
  {
    name: 'Sizes of requests',
    has: (charts) => !!charts.sizes,
    build: (charts, options) => (charts.sizes ? sizesFigure(charts.sizes, options) : null),
  },
  {
    name: 'Data touched by day',
    has: (charts) => !!charts.footprint,
    build: (charts, options) =>
      charts.footprint ? footprintFigure(charts.footprint.day_bytes, options) : null,
  },
  {
    name: 'Response times in the file',
    has: (charts) => !!charts.responses,
    build: (charts, options) =>
      charts.responses ? responsesFigure(charts.responses, options) : null,
  },
  {
    name: 'CPU over time, mean and spread of the machines',
    wide: true,
    has: (charts) => !!charts.band,
    build: (charts, options) => (charts.band ? bandFigure(charts.band, options) : null),
  },
  {
    name: 'CPU by machine',
    has: (charts) => !!charts.heat,
    build: (charts, options) => (charts.heat ? heatFigure(charts.heat, options) : null),
  },
  {
    name: 'Shape of the day',
    has: (charts) => !!charts.hours,
    build: (charts, options) => (charts.hours ? hoursFigure(charts.hours, options) : null),
  },
  {
    name: 'Memory over time',
    has: (charts) => !!charts.memory,
    build: (charts, options) => (charts.memory ? memoryFigure(charts.memory, options) : null),
  },
  {
    name: 'Power over time',
    has: (charts) => !!charts.power,
    build: (charts, options) => (charts.power ? powerFigure(charts.power, options) : null),
  },
  {
    name: 'Requests per second by requests outstanding',
    wide: true,
    has: (charts) => !!charts.points,
    build: (charts, options) => (charts.points ? pointsFigure(charts.points, options) : null),
  },
];

function Panel({ panel, charts }: { panel: Drawn; charts: Charts }) {
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  const build = useCallback(
    () => panel.build(charts, { theme, narrow }),
    [panel, charts, theme, narrow],
  );
  return (
    <ChartPanel
      name={panel.name}
      build={build}
      height={280}
      className={panel.wide ? styles.wide : ''}
      empty="There is only one request: nothing lies between."
    />
  );
}

export function TraceCharts({ charts }: { charts: Charts }) {
  return (
    <div className={styles.charts}>
      {PANELS.filter((panel) => panel.has(charts)).map((panel) => (
        <Panel key={panel.name} panel={panel} charts={charts} />
      ))}
    </div>
  );
}
