import { valueAxis } from '../../../lib/axis';
import type { Figure, Trace } from '../../../lib/figure';
import { percent, quantity, significant } from '../../../lib/format';
import { designLook, type Theme } from '../../../lib/tokens';
import type { ModuleAnswer, PolicyPoint } from './memory-policies';
import { joules } from '../scaling/scaling';
import { sampled } from '../frame/figures';

interface Options {
  theme: Theme;
  narrow: boolean;
}

const rowAxis = (names: readonly string[]) => ({
  tickmode: 'array' as const,
  tickvals: names.map((_, at) => at),
  ticktext: [...names],
  range: [names.length - 0.4, -0.6],
  showgrid: false,
});

interface Stacked {
  title: string;
  unit: string;
  names: string[];
  labels: string[];
  /** Rows as the names, columns as the labels. */
  values: number[][];
}

/** Bars from zero, one a row, split by cause where more than one is known. */
function stacked({ title, unit, names, labels, values }: Stacked, { theme, narrow }: Options) {
  const split = labels.length > 1;
  const colors = split ? sampled(labels.length, theme) : [designLook('A', theme).color];
  const totals = values.map((row) => row.reduce((sum, value) => sum + value, 0));
  const data = labels.map((label, at): Trace => ({
    type: 'bar',
    orientation: 'h',
    name: label,
    y: names.map((_, place) => place),
    x: values.map((row) => row[at] ?? 0),
    marker: { color: colors[at] },
    hovertext: names.map(
      (name, place) => `<b>${name}</b><br>${label}: ${quantity(values[place]?.[at] ?? 0, unit)}`,
    ),
    hoverinfo: 'text',
  }));
  const figure: Figure = {
    title,
    summary: `${title}. ${names.map((name, at) => `${name}: ${quantity(totals[at], unit)}`).join('; ')}.`,
    data,
    layout: {
      barmode: 'stack',
      margin: { l: 96, r: 16, t: split ? (narrow ? 76 : 36) : 12, b: 44 },
      showlegend: split,
      legend: { orientation: 'h', x: 0, y: 1.02, yanchor: 'bottom', traceorder: 'normal' },
      xaxis: { ...valueAxis(unit, { low: 0, high: Math.max(...totals, 0) }), showgrid: true },
      yaxis: rowAxis(names),
    },
    table: {
      columns: [{ label: 'Policy', unit: '' }, ...labels.map((label) => ({ label, unit }))],
      rows: names.map((name, at) => [name, ...(values[at] ?? [])]),
    },
  };
  return figure;
}

/** Joules of each policy, split by cause where the simulation tells them apart. */
export function joulesByPolicy(
  points: readonly PolicyPoint[],
  span: string,
  options: Options,
): Figure | null {
  const known = points.filter(({ joules }) => joules !== null);
  const least = known.reduce<PolicyPoint | undefined>(
    (best, one) => ((one.joules ?? 0) < (best?.joules ?? Infinity) ? one : best),
    undefined,
  );
  if (!least) return null;
  return stacked(
    {
      title: `${least.name} uses the least energy: ${joules(least.joules ?? 0)} in ${span}`,
      unit: 'J',
      names: known.map(({ name }) => name),
      labels: least.pieces.map(({ label }) => label),
      values: known.map(({ pieces }) => pieces.map(({ joules }) => joules)),
    },
    options,
  );
}

/** How much longer the work takes under each policy. */
export function slowDown(points: readonly PolicyPoint[], options: Options): Figure | null {
  const known = points.flatMap(({ name, slower_fraction: slower }) =>
    slower === null ? [] : [{ name, slower }],
  );
  const most = known.reduce<(typeof known)[number] | undefined>(
    (worst, one) => (one.slower > (worst?.slower ?? -1) ? one : worst),
    undefined,
  );
  if (!most) return null;
  const { color } = designLook('B', options.theme);
  const title =
    most.slower < 5e-5
      ? 'No policy slows the work'
      : `${most.name} slows the work most: ${percent(most.slower)} longer`;
  return {
    title,
    summary: `${title}. ${known.map(({ name, slower }) => `${name}: ${percent(slower)}`).join('; ')}.`,
    data: [
      {
        type: 'bar',
        orientation: 'h',
        y: known.map((_, at) => at),
        x: known.map(({ slower }) => slower),
        text: known.map(({ slower }) => (slower < 5e-5 ? 'none' : percent(slower))),
        textposition: 'outside',
        cliponaxis: false,
        marker: { color },
        hovertext: known.map(
          ({ name, slower }) => `<b>${name}</b><br>${significant(100 * slower)}% longer`,
        ),
        hoverinfo: 'text',
      },
    ],
    layout: {
      margin: { l: 96, r: 56, t: 12, b: 44 },
      xaxis: {
        ...valueAxis('fraction', { low: 0, high: Math.max(most.slower, 0.001), room: [0, 0.1] }),
        title: { text: 'Longer run time' },
        showgrid: true,
      },
      yaxis: rowAxis(known.map(({ name }) => name)),
    },
    table: {
      columns: [
        { label: 'Policy', unit: '' },
        { label: 'Longer run time', unit: 'fraction' },
      ],
      rows: known.map(({ name, slower }) => [name, slower]),
    },
  };
}

const MODULE_PIECES = [
  { key: 'standby_w', label: 'Standby' },
  { key: 'powerdown_w', label: 'Power-down' },
  { key: 'refresh_w', label: 'Refresh' },
  { key: 'register_w', label: 'Registers' },
  { key: 'traffic_w', label: 'Traffic' },
] as const;

/** All modules with their traffic, always ready and with power-down, by cause. */
export function modulePower(answer: ModuleAnswer, options: Options): Figure | null {
  const [ready, down] = answer.policies;
  if (!ready || !down) return null;
  return stacked(
    {
      title: `${quantity(ready.average_w, 'W')} always ready, ${quantity(down.average_w, 'W')} with power-down`,
      unit: 'W',
      names: answer.policies.map(({ policy }) =>
        policy === 'ready' ? 'Always ready' : 'Power-down',
      ),
      labels: MODULE_PIECES.map(({ label }) => label),
      values: answer.policies.map((row) => MODULE_PIECES.map(({ key }) => row[key])),
    },
    options,
  );
}
