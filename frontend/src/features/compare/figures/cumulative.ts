import type { Annotations } from 'plotly.js';
import { labelRoom, spread, valueAxis } from '../../../lib/axis';
import { withAlpha } from '../../../lib/color';
import type { BreakEven, Comparison, DesignResult } from '../../../lib/comparison';
import type { Figure, Trace } from '../../../lib/figure';
import { money, months, significant } from '../../../lib/format';
import { chartTokens, designLook, palette } from '../../../lib/tokens';
import { nameOf, pairOf, plotText, short, type PairOptions } from './options';

export interface CumulativeOptions extends PairOptions {
  discounted: boolean;
}

interface Basis extends CumulativeOptions {
  /** Whether designs are ranked by present value. */
  byValue: boolean;
}

const LABEL_GAP_SHARE = 0.062;

/** Running sums: the mean of what designs are ranked by, the other measure as entered. */
function series(design: DesignResult, { discounted, byValue }: Basis): readonly number[] {
  if (discounted === byValue) return design.cumulative_ranked_usd;
  return discounted ? design.cumulative_npv_usd : design.cumulative_usd;
}

export function breakEvenOf(
  comparison: Comparison,
  options: { from: string; to: string; discounted: boolean },
): BreakEven | undefined {
  const of = (challenger: string, incumbent: string) =>
    comparison.break_evens.find(
      (row) =>
        row.challenger === challenger &&
        row.incumbent === incumbent &&
        row.discounted === options.discounted,
    );
  return of(options.to, options.from) ?? of(options.from, options.to);
}

function line(design: DesignResult, options: Basis): Trace {
  const look = designLook(design.letter, options.theme);
  const y = series(design, options);
  const name = plotText(nameOf(design));
  return {
    type: 'scatter',
    mode: 'lines',
    name,
    x: y.map((_, month) => month),
    y: [...y],
    text: y.map((usd) => money(usd, options.currency)),
    line: {
      color: look.color,
      width: chartTokens.line_px,
      dash: (look.dashPx.map((px) => `${px}px`).join(',') || 'solid') as 'solid',
    },
    hovertemplate: `<b>${name}</b><br>month %{x}: %{text}<extra></extra>`,
  };
}

function band(design: DesignResult, options: Basis): Trace[] {
  const { cumulative_p10_usd: low, cumulative_p90_usd: high } = design;
  const known = options.discounted === options.byValue;
  if (!low || !high || !known) return [];
  const { color } = designLook(design.letter, options.theme);
  const along = low.map((_, month) => month);
  return [
    {
      type: 'scatter',
      mode: 'lines',
      name: `${design.letter}, P10–P90`,
      x: [...along, ...along.toReversed()],
      y: [...high, ...low.toReversed()],
      fill: 'toself',
      fillcolor: withAlpha(color, chartTokens.band_opacity),
      line: { width: 0 },
      hoverinfo: 'skip',
    },
  ];
}

function dot(row: BreakEven, options: CumulativeOptions): Trace {
  const { color } = designLook(row.challenger, options.theme);
  const label = dotLabel(row, options);
  return {
    type: 'scatter',
    mode: 'markers',
    name: 'Break-even',
    x: [row.exact_months ?? 0],
    y: [row.cost_usd ?? 0],
    text: [label],
    marker: {
      size: 10,
      color,
      line: { width: 2, color: palette[options.theme].background },
    },
    hovertemplate: `%{text}<br>exactly ${significant(row.exact_months ?? 0)} months${said(row)}<extra></extra>`,
  };
}

function dotLabel(row: BreakEven, options: CumulativeOptions): string {
  return `${months(row.first_month_cheaper)}, ${money(row.cost_usd, options.currency)}`;
}

function dotAnnotation(row: BreakEven, options: CumulativeOptions): Partial<Annotations> {
  const colors = palette[options.theme];
  return {
    x: row.exact_months ?? 0,
    y: row.cost_usd ?? 0,
    text: dotLabel(row, options),
    showarrow: true,
    arrowhead: 0,
    arrowwidth: 1,
    arrowcolor: colors.muted,
    ax: -44,
    ay: -40,
    standoff: 6,
    font: { size: 12, color: colors.text },
    bgcolor: withAlpha(colors.background, 0.85),
    borderpad: 2,
  };
}

/** The designs named at the ends of their lines; one trace, which draws faster than labels do. */
function ends(designs: DesignResult[], options: Basis, high: number): Trace {
  const totals = designs.map((design) => series(design, options).at(-1) ?? 0);
  return {
    type: 'scatter',
    mode: 'text',
    name: 'Ends',
    x: designs.map((design) => series(design, options).length - 1),
    y: spread(totals, high * LABEL_GAP_SHARE),
    text: designs.map(
      (design, at) => `  <b>${design.letter}</b> ${money(totals[at], options.currency)}`,
    ),
    textposition: 'middle right',
    textfont: {
      size: 12,
      color: designs.map((design) => designLook(design.letter, options.theme).color),
    },
    cliponaxis: false,
    hoverinfo: 'skip',
  };
}

/** Whether a break-even is discounted, and which of how many crossings it is. */
function said({ discounted, crossings_count: count, reason }: BreakEven): string {
  const basis = discounted ? ', discounted' : ', undiscounted';
  if (count < 2) return basis;
  return reason === 'never'
    ? `${basis}, after ${count} crossings`
    : `${basis}, the last of ${count} crossings`;
}

function finding(row: BreakEven | undefined, options: CumulativeOptions): string {
  if (!row) return `Cumulative cost${options.discounted ? ', discounted' : ''}`;
  const { challenger, incumbent } = row;
  const basis = said(row);
  if (row.first_month_cheaper !== null && row.reason === null) {
    return `${challenger} is cheaper than ${incumbent} from month ${row.first_month_cheaper} on${basis}`;
  }
  return row.reason === 'always'
    ? `${challenger} is cheaper than ${incumbent} from the first month on${basis}`
    : `${challenger} does not become cheaper than ${incumbent} in this time${basis}`;
}

/** Cumulative cost by month: a line per design, the pair's band, its break-even as a dot. */
export function cumulative(comparison: Comparison, asked: CumulativeOptions): Figure {
  const { designs } = comparison;
  const options: Basis = { ...asked, byValue: comparison.ranked_by === 'present_value' };
  const pair = pairOf(comparison, options);
  const row = breakEvenOf(comparison, options);
  // Cheaper from the start, or never: there is no crossing to point at.
  const crossing = row && row.reason === null && row.cost_usd !== null ? row : undefined;
  const bands = pair.flatMap((design) => band(design, options));
  const all = [
    ...designs.flatMap((design) => series(design, options)),
    ...(bands.length > 0 ? pair.flatMap((design) => design.cumulative_p90_usd ?? []) : []),
  ];
  const high = Math.max(...all, 0);
  const low = Math.min(...all, 0);
  const title = finding(row, options);
  const amounts = designs.map((design) => money(series(design, options).at(-1), options.currency));
  const totals = designs.map((design, at) => `${nameOf(design)}: ${amounts[at]}`);
  const axis = valueAxis('USD', { low, high, currency: options.currency });
  return {
    title,
    summary: `${title}. At the end: ${totals.join('; ')}.`,
    data: [
      ...bands,
      ...designs.map((design) => line(design, options)),
      ends(designs, options, high),
      ...(crossing ? [dot(crossing, options)] : []),
    ],
    layout: {
      margin: { l: labelRoom(axis.ticktext, 64), r: labelRoom(amounts, 68) + 16, t: 8, b: 40 },
      xaxis: {
        title: { text: 'Months' },
        range: [0, comparison.horizon_months],
        tickmode: 'linear',
        tick0: 0,
        dtick: comparison.horizon_months > 60 || options.narrow ? 12 : 6,
      },
      yaxis: axis,
      annotations: crossing ? [dotAnnotation(crossing, options)] : [],
    },
    table: {
      columns: [
        { label: 'Month', unit: 'count' },
        ...designs.map((design) => ({ label: short(nameOf(design), 40), unit: 'USD' })),
      ],
      rows: (designs[0] ? series(designs[0], options) : []).map((_, month) => [
        month,
        ...designs.map((design) => series(design, options)[month] ?? null),
      ]),
    },
  };
}
