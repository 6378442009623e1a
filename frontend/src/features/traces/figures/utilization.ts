import { valueAxis } from '../../../lib/axis';
import { withAlpha } from '../../../lib/color';
import type { Figure, Trace as Line } from '../../../lib/figure';
import { percent, quantity } from '../../../lib/format';
import { chartTokens, designLook, palette } from '../../../lib/tokens';
import type { Band, Charts } from '../charts';
import { span } from '../words';
import { timeAxis, type TraceFigureOptions } from './options';

type Values = (number | null)[];

const CPU = 'A';

function known(values: Values): number[] {
  return values.filter((value) => value !== null);
}

function maxOf(...series: Values[]): number {
  return Math.max(...series.flatMap(known), 0);
}

function filled(
  band: Band,
  low: Values,
  high: Values,
  opacity: number,
  theme: 'light' | 'dark',
): Line {
  const x = band.mean.map((_, at) => (at + 0.5) * band.step_s);
  const both = x.filter((_, at) => low[at] != null && high[at] != null);
  const top = high.filter((value, at) => value != null && low[at] != null);
  const bottom = low.filter((value, at) => value != null && high[at] != null);
  return {
    type: 'scatter',
    mode: 'lines',
    x: [...both, ...both.toReversed()],
    y: [...top, ...bottom.toReversed()],
    fill: 'toself',
    fillcolor: withAlpha(designLook(CPU, theme).color, opacity),
    line: { width: 0 },
    hoverinfo: 'skip',
  };
}

/** How busy the machines are over time: median, and bands from P5 to P95 of the machines. */
export function bandFigure(band: Band, options: TraceFigureOptions): Figure {
  const { color } = designLook(CPU, options.theme);
  const high = maxOf(band.p95, band.mean);
  const peak = maxOf(band.mean);
  const title = `Over ${span(band.step_s)}, all together are ${percent(peak)} busy at most; the busiest twentieth of machines reach ${percent(maxOf(band.p95))}`;
  const line = (name: string, y: Values, dash: 'solid' | 'dot'): Line => ({
    type: 'scatter',
    mode: 'lines',
    name,
    x: y.map((_, at) => (at + 0.5) * band.step_s),
    y,
    line: { color, width: chartTokens.line_px, dash },
    text: y.map(
      (value, at) => `${span(at * band.step_s)}: ${name.toLowerCase()} ${percent(value)}`,
    ),
    hovertemplate: '%{text}<extra></extra>',
  });
  return {
    title,
    summary: `${title}.`,
    data: [
      filled(band, band.p5, band.p95, 0.14, options.theme),
      filled(band, band.p25, band.p75, 0.22, options.theme),
      line('Median', band.p50, 'dot'),
      line('Mean', band.mean, 'solid'),
    ],
    layout: {
      margin: { l: 48, r: 28, t: 8, b: 44 },
      xaxis: timeAxis(band.mean.length * band.step_s, options.narrow),
      yaxis: valueAxis('fraction', { low: 0, high: high || 0.01 }),
    },
    table: {
      columns: [
        { label: 'From', unit: 's' },
        ...['Mean', 'P5', 'P25', 'Median', 'P75', 'P95'].map((label) => ({
          label,
          unit: 'fraction',
        })),
      ],
      rows: band.mean.map((_, at) => [
        at * band.step_s,
        ...[band.mean, band.p5, band.p25, band.p50, band.p75, band.p95].map(
          (row) => row[at] ?? null,
        ),
      ]),
    },
  };
}

/** Every machine (or a few of many) as a row, its load over time as colour. */
export function heatFigure(heat: NonNullable<Charts['heat']>, options: TraceFigureOptions): Figure {
  const colors = palette[options.theme];
  const high = Math.max(maxOf(...heat.cpu_fraction), 0.01);
  const rows = heat.names.length;
  const title = `The busiest of the machines is ${percent(mean(heat.cpu_fraction[0] ?? []))} busy on average, the idlest ${percent(mean(heat.cpu_fraction.at(-1) ?? []))}`;
  const steps = heat.cpu_fraction[0]?.length ?? 0;
  const few = rows <= 16 && !options.narrow;
  return {
    title,
    summary: `${title}. Machines from the busiest to the idlest.`,
    data: [
      {
        type: 'heatmap',
        z: heat.cpu_fraction,
        x0: heat.step_s / 2,
        dx: heat.step_s,
        y: heat.names.map((_, at) => at),
        zmin: 0,
        zmax: high,
        colorscale: 'Viridis',
        customdata: heat.cpu_fraction.map((row, at) =>
          row.map((value) => `${heat.names[at] ?? ''}: ${percent(value)}`),
        ) as unknown as string[][],
        hovertemplate: '%{customdata}<extra></extra>',
        colorbar: {
          thickness: 10,
          outlinewidth: 0,
          tickformat: '.0%',
          nticks: 4,
          tickfont: { size: 11, color: colors.muted },
        },
      } as Line,
    ],
    layout: {
      margin: { l: few ? 130 : 32, r: 8, t: 8, b: 44 },
      xaxis: timeAxis(steps * heat.step_s, options.narrow),
      yaxis: {
        title: { text: few ? '' : 'Machines, busiest on top' },
        autorange: 'reversed',
        showgrid: false,
        tickmode: 'array',
        tickvals: few ? heat.names.map((_, at) => at) : [],
        ticktext: few ? heat.names.map((name) => short(name)) : [],
      },
    },
    table: {
      columns: [
        { label: 'Machine', unit: '' },
        { label: 'Mean', unit: 'fraction' },
        { label: 'Highest', unit: 'fraction' },
      ],
      rows: heat.names.map((name, at) => [
        name,
        mean(heat.cpu_fraction[at] ?? []),
        maxOf(heat.cpu_fraction[at] ?? []),
      ]),
    },
  };
}

function mean(values: Values): number {
  const all = known(values);
  return all.reduce((sum, value) => sum + value, 0) / Math.max(all.length, 1);
}

function short(name: string): string {
  return name.length <= 18 ? name : `${name.slice(0, 17)}…`;
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** The shape of a day: mean and 95th percentile by hour. */
export function hoursFigure(
  hours: NonNullable<Charts['hours']>,
  options: TraceFigureOptions,
): Figure {
  const { mean_fraction: means, p95_fraction: tops } = hours;
  const peak = Math.max(...known(means));
  const hour = means.indexOf(peak);
  const title = `The day peaks at ${String(hour).padStart(2, '0')}:00 with ${percent(peak)}`;
  const { color } = designLook(CPU, options.theme);
  return {
    title,
    summary: `${title}.`,
    data: [
      {
        type: 'bar',
        name: 'Mean',
        x: HOURS,
        y: means,
        marker: { color },
        text: means.map(
          (value, at) => `${at}:00: mean ${percent(value)}, P95 ${percent(tops[at])}`,
        ),
        textposition: 'none',
        hovertemplate: '%{text}<extra></extra>',
      },
      {
        type: 'scatter',
        mode: 'markers',
        name: 'P95 of the machines',
        x: HOURS,
        y: tops,
        marker: { symbol: 'line-ew-open', size: 9, color: palette[options.theme].muted },
        hoverinfo: 'skip',
      },
    ],
    layout: {
      margin: { l: 48, r: 16, t: 24, b: 44 },
      showlegend: true,
      xaxis: {
        title: { text: 'Hour of the day, as in the file' },
        tickmode: 'array',
        tickvals: [0, 6, 12, 18],
        ticktext: ['0:00', '6:00', '12:00', '18:00'],
      },
      yaxis: valueAxis('fraction', { low: 0, high: maxOf(means, tops) || 0.01 }),
    },
    table: {
      columns: [
        { label: 'Hour', unit: 'count' },
        { label: 'Mean', unit: 'fraction' },
        { label: 'P95', unit: 'fraction' },
      ],
      rows: HOURS.map((at) => [at, means[at] ?? null, tops[at] ?? null]),
    },
  };
}

interface SeriesWords {
  title: string;
  label: string;
  unit: string;
  letter: string;
}

function seriesFigure(
  stepS: number,
  y: Values,
  words: SeriesWords,
  options: TraceFigureOptions,
): Figure {
  const { title, label, unit, letter } = words;
  return {
    title,
    summary: `${title}.`,
    data: [
      {
        type: 'scatter',
        mode: 'lines',
        name: label,
        x: y.map((_, at) => (at + 0.5) * stepS),
        y,
        line: { color: designLook(letter, options.theme).color, width: chartTokens.line_px },
        text: y.map((value, at) => `${span(at * stepS)}: ${quantity(value, unit)}`),
        hovertemplate: '%{text}<extra></extra>',
      },
    ],
    layout: {
      margin: { l: 60, r: 28, t: 8, b: 44 },
      xaxis: timeAxis(y.length * stepS, options.narrow),
      yaxis: valueAxis(unit, { low: 0, high: maxOf(y) || 0.01 }),
    },
    table: {
      columns: [
        { label: 'From', unit: 's' },
        { label, unit },
      ],
      rows: y.map((value, at) => [at * stepS, value]),
    },
  };
}

/** Mean share of memory in use over time. */
export function memoryFigure(
  found: NonNullable<Charts['memory']>,
  options: TraceFigureOptions,
): Figure {
  const high = maxOf(found.mean_fraction);
  const title = `Memory is at most ${percent(high)} full`;
  const words = { title, label: 'Memory in use', unit: 'fraction', letter: 'C' };
  return seriesFigure(found.step_s, found.mean_fraction, words, options);
}

/** Watts of all machines together over time. */
export function powerFigure(
  found: NonNullable<Charts['power']>,
  options: TraceFigureOptions,
): Figure {
  const title = `Together they draw up to ${quantity(maxOf(found.total_w), 'W')}`;
  const words = { title, label: 'Power', unit: 'W', letter: 'B' };
  return seriesFigure(found.step_s, found.total_w, words, options);
}
