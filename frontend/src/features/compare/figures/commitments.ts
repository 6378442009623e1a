import { labelRoom, valueAxis } from '../../../lib/axis';
import { designByLetter, type Comparison } from '../../../lib/comparison';
import type { Figure, Trace } from '../../../lib/figure';
import { money, percent } from '../../../lib/format';
import { chartTokens, designLook, palette } from '../../../lib/tokens';
import { nameOf, plotText, type FigureOptions } from './options';

type Curve = Comparison['commitments'][number];
type Point = Curve['points'][number];

const byLevel = (a: Pick<Point, 'committed_fraction'>, b: typeof a) =>
  a.committed_fraction - b.committed_fraction;

/** The level of a curve that costs least, the chosen one being among those compared. */
function least(curve: Curve): Point {
  return curve.points.reduce((best, point) => (point.cost_usd < best.cost_usd ? point : best), {
    committed_fraction: curve.committed_fraction,
    cost_usd: curve.cost_usd,
  });
}

/** What a curve says: that the level is the best one, or what a better one would save. */
function said(curve: Curve, { currency }: FigureOptions): string {
  const best = least(curve);
  const at = `${curve.letter} commits ${percent(curve.committed_fraction)} of its peak demand`;
  const more = curve.cost_usd - best.cost_usd;
  if (curve.is_best || more <= 0) return `${at}, the level that costs least`;
  return `${at}: ${money(more, currency)} above the level that costs least, ${percent(best.committed_fraction)}`;
}

function line(curve: Curve, name: string, { theme, currency }: FigureOptions): Trace {
  const look = designLook(curve.letter, theme);
  const chosen = { committed_fraction: curve.committed_fraction, cost_usd: curve.cost_usd };
  const points = [...curve.points, chosen].sort(byLevel);
  return {
    type: 'scatter',
    mode: 'lines',
    name,
    x: points.map((point) => point.committed_fraction),
    y: points.map((point) => point.cost_usd),
    text: points.map(
      (point) => `${percent(point.committed_fraction)}: ${money(point.cost_usd, currency)}`,
    ),
    line: {
      color: look.color,
      width: chartTokens.line_px,
      dash: (look.dashPx.map((px) => `${px}px`).join(',') || 'solid') as 'solid',
    },
    hovertemplate: `<b>${name}</b><br>${plotText(curve.label)}<br>%{text}<extra></extra>`,
  };
}

/** Where the designs stand on their curves. */
function stands(all: readonly Curve[], { theme, currency, narrow }: FigureOptions): Trace {
  const order = [...all].sort(byLevel);
  const label = (curve: Curve) =>
    `${curve.letter}  ${percent(curve.committed_fraction)}, ${money(curve.cost_usd, currency)}`;
  // A narrow plot has room for letters only; figures stand at the point and in the table.
  const shown = (curve: Curve) => (narrow ? curve.letter : label(curve));
  return {
    type: 'scatter',
    mode: 'text+markers',
    name: 'As designed',
    x: order.map((curve) => curve.committed_fraction),
    y: order.map((curve) => curve.cost_usd),
    text: order.map(shown),
    hovertext: order.map(label),
    // Neighbours' labels stand on either side of their lines.
    textposition: order.map((_, at) => (at % 2 === 0 ? 'bottom center' : 'top center')),
    textfont: { size: 12, color: order.map(({ letter }) => designLook(letter, theme).color) },
    marker: {
      size: 10,
      color: order.map(({ letter }) => designLook(letter, theme).color),
      line: { width: 2, color: palette[theme].background },
    },
    hovertemplate: '%{hovertext}<extra></extra>',
    cliponaxis: false,
  };
}

/**
 * Cost of the instances against how much of the demand is committed: why the level of each design
 * is what it is. Nothing where no design commits; of one design only, where its letter is given.
 */
export function commitments(
  comparison: Comparison,
  options: FigureOptions,
  letter?: string,
): Figure | null {
  const curves = comparison.commitments.filter((curve) => !letter || curve.letter === letter);
  const [first] = curves;
  if (!first) return null;
  const costs = curves.flatMap((curve) => curve.points.map((point) => point.cost_usd));
  const [low, high] = [Math.min(...costs), Math.max(...costs)];
  const pad = (high - low || Math.abs(high) || 1) * 0.12;
  const named = (curve: Curve) => {
    const design = designByLetter(comparison, curve.letter);
    return plotText(design ? nameOf(design) : curve.letter);
  };
  const worst = curves.find((curve) => !curve.is_best && curve.cost_usd > least(curve).cost_usd);
  const value = comparison.ranked_by === 'present_value' ? 'Present value' : 'Cost';
  const axis = valueAxis('USD', {
    low: Math.max(0, low - 2 * pad),
    high: high + pad,
    currency: options.currency,
  });
  return {
    title:
      worst || curves.length === 1
        ? said(worst ?? first, options)
        : 'Each commitment stands at the level that costs least',
    summary: `${curves.map((curve) => said(curve, options)).join('. ')}.`,
    data: [...curves.map((curve) => line(curve, named(curve), options)), stands(curves, options)],
    layout: {
      // The title of the axis stands beside its labels.
      margin: { l: labelRoom(axis.ticktext, 44) + 20, r: 24, t: 24, b: 44 },
      xaxis: {
        ...valueAxis('fraction', { low: 0, high: 1, count: options.narrow ? 3 : 6 }),
        title: { text: 'Committed share of the peak demand at the start' },
      },
      yaxis: {
        ...axis,
        title: { text: `${value} of the instances` },
      },
    },
    table: {
      columns: [
        { label: 'Design', unit: '' },
        { label: 'Committed', unit: 'fraction' },
        { label: `${value} of the instances`, unit: 'USD' },
      ],
      rows: curves.flatMap((curve) =>
        [...curve.points]
          .sort(byLevel)
          .map((point) => [curve.letter, point.committed_fraction, point.cost_usd]),
      ),
    },
  };
}
