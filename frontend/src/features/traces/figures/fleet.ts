import { valueAxis } from '../../../lib/axis';
import type { Figure, Trace } from '../../../lib/figure';
import { percent, significant } from '../../../lib/format';
import { chartTokens, designLook, palette } from '../../../lib/tokens';
import type { Cohort, FleetRates, SurvivalCurve } from '../charts';
import type { TraceFigureOptions } from './options';

const SHOWN = 15;

function hover(row: Cohort): string {
  return `<b>${row.name}</b><br>${percent(row.afr_per_year)} a year (${percent(
    row.low_per_year,
  )} to ${percent(row.high_per_year)})<br>${row.failures_count.toLocaleString(
    'en-GB',
  )} failures in ${row.drive_days_count.toLocaleString('en-GB')} drive days`;
}

/** Long names would leave no room for the chart. */
const short = (name: string, narrow: boolean) => {
  const most = narrow ? 13 : 28;
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
};

/** The right end: the highest rate, and intervals as far as they help to tell rates apart. */
function farthest(rows: readonly Cohort[]): number {
  const rates = rows.map((row) => row.afr_per_year);
  const ends = rows.map((row) => row.high_per_year).sort((a, b) => a - b);
  const middle = ends[Math.floor(ends.length / 2)] ?? 0;
  return Math.min(Math.max(...rates, middle) * 1.5, Math.max(...ends)) || 1;
}

/** Failure rates of the models with most drive days, with their intervals. */
export function ratesFigure(
  { cohorts, models_count, confidence_fraction }: FleetRates,
  { theme, narrow }: TraceFigureOptions,
): Figure | null {
  const rows = cohorts.slice(0, SHOWN);
  if (rows.length === 0) return null;
  const look = designLook('A', theme);
  const order = [...rows].sort((a, b) => a.afr_per_year - b.afr_per_year);
  const worst = order.at(-1);
  const failed = rows.some((row) => row.failures_count > 0);
  const title =
    worst && failed
      ? `Highest rate: ${worst.name}, ${percent(worst.afr_per_year)} a year`
      : 'No drive of these models failed';
  const ys = order.map((_, at) => at);
  return {
    title,
    summary: `${title}. ${order
      .map((row) => `${row.name}: ${percent(row.afr_per_year)}`)
      .reverse()
      .join('; ')}.`,
    data: [
      {
        type: 'scatter',
        mode: 'markers',
        name: 'Failures a year',
        x: order.map((row) => row.afr_per_year),
        y: ys,
        error_x: {
          type: 'data',
          symmetric: false,
          array: order.map((row) => row.high_per_year - row.afr_per_year),
          arrayminus: order.map((row) => row.afr_per_year - row.low_per_year),
          color: look.color,
          thickness: 2,
          width: 0,
        },
        marker: { size: 9, color: look.color },
        hovertext: order.map(hover),
        hoverinfo: 'text',
        cliponaxis: false,
      },
    ],
    layout: {
      margin: { l: narrow ? 116 : 208, r: 16, t: 24, b: 44 },
      xaxis: {
        ...valueAxis('fraction', { low: 0, high: farthest(rows), count: narrow ? 3 : 6 }),
        title: { text: `Failures of a drive a year, ${percent(confidence_fraction)} interval` },
      },
      yaxis: {
        tickmode: 'array',
        tickvals: ys,
        ticktext: order.map((row) => short(row.name, narrow)),
        range: [-0.6, order.length - 0.4],
        showgrid: false,
      },
      annotations:
        models_count > rows.length
          ? [
              {
                text: `the ${rows.length} of ${models_count} models with most drive days`,
                xref: 'paper',
                yref: 'paper',
                x: 1,
                y: 1,
                xanchor: 'right',
                yanchor: 'bottom',
                showarrow: false,
                font: { size: 12, color: palette[theme].muted },
              },
            ]
          : [],
    },
    table: {
      columns: [
        { label: 'Model', unit: '' },
        { label: 'Capacity', unit: 'TB' },
        { label: 'Drives', unit: 'count' },
        { label: 'Drive days', unit: 'count' },
        { label: 'Failures', unit: 'count' },
        { label: 'Failures a year', unit: 'fraction' },
        { label: 'Low', unit: 'fraction' },
        { label: 'High', unit: 'fraction' },
      ],
      rows: cohorts.map((row) => [
        row.name,
        row.capacity_tb,
        row.drives_count,
        row.drive_days_count,
        row.failures_count,
        row.afr_per_year,
        row.low_per_year,
        row.high_per_year,
      ]),
    },
  };
}

const lawLine = (x: number[], y: number[], color: string): Trace => ({
  type: 'scatter',
  mode: 'lines',
  name: 'Weibull',
  x,
  y,
  line: { color, width: chartTokens.line_px, dash: 'dash' },
  hovertemplate: 'Weibull: %{y:.1%} at %{x:.2f} years<extra></extra>',
});

/** Share of drives that still run by age: Kaplan-Meier with its interval, and the Weibull law. */
export function survivalFigure(
  curve: SurvivalCurve,
  { theme, narrow }: TraceFigureOptions,
): Figure | null {
  const ages = curve.age_years;
  const oldest = ages.at(-1);
  if (oldest === undefined) return null;
  const look = designLook('A', theme);
  const law = designLook('B', theme);
  const last = curve.survival_fraction.at(-1) ?? 0;
  const title = `${percent(last)} still run at ${significant(oldest, 2)} years`;
  const low = Math.min(...curve.low_fraction.filter((value) => value > 0), last);
  const known = curve.weibull_fraction;
  return {
    title,
    summary: `${curve.name}: ${title}. Weibull: shape ${significant(
      curve.weibull_shape_ratio,
    )}, scale ${significant(curve.weibull_scale_years)} years.`,
    data: [
      {
        type: 'scatter',
        mode: 'lines',
        x: [...ages, ...[...ages].reverse()],
        y: [...curve.high_fraction, ...[...curve.low_fraction].reverse()],
        fill: 'toself',
        fillcolor: `${look.color}33`,
        line: { width: 0, color: look.color },
        hoverinfo: 'skip',
        showlegend: false,
      },
      {
        type: 'scatter',
        mode: 'lines',
        name: 'Kaplan-Meier, 95% interval',
        x: ages,
        y: curve.survival_fraction,
        line: { color: look.color, width: chartTokens.line_px, shape: 'hv' },
        hovertemplate: '%{y:.1%} at %{x:.2f} years<extra></extra>',
      },
      ...(known ? [lawLine(ages, known, law.color)] : []),
    ],
    layout: {
      margin: { l: 56, r: 16, t: 24, b: 44 },
      showlegend: true,
      xaxis: {
        ...valueAxis('yr', { low: 0, high: oldest, count: narrow ? 4 : 8 }),
        title: { text: 'Age' },
      },
      yaxis: {
        ...valueAxis('fraction', { low: Math.max(0, low - 0.05), high: 1, room: [0, 0.02] }),
        title: { text: 'Drives that still run' },
      },
    },
    table: {
      columns: [
        { label: 'Age', unit: 'yr' },
        { label: 'Still run', unit: 'fraction' },
        { label: 'Low', unit: 'fraction' },
        { label: 'High', unit: 'fraction' },
        { label: 'Weibull', unit: 'fraction' },
      ],
      rows: ages.map((age, at) => [
        age,
        curve.survival_fraction[at] ?? null,
        curve.low_fraction[at] ?? null,
        curve.high_fraction[at] ?? null,
        known?.[at] ?? null,
      ]),
    },
  };
}
