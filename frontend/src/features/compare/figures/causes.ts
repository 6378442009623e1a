import { valueAxis } from '../../../lib/axis';
import { inkOn } from '../../../lib/color';
import type { Comparison } from '../../../lib/comparison';
import type { Figure, Legend, Trace } from '../../../lib/figure';
import { money, percent } from '../../../lib/format';
import { causeColor, causeKey, causeOrder, palette, type Side } from '../../../lib/tokens';
import { designAxis } from './by-design';
import { nameOf, plotText, type FigureOptions } from './options';

interface CauseSeries {
  side: Side;
  cause: string;
  label: string;
  amounts: number[];
  /** P10 and P90 of each amount, where it is of one cause and was simulated. */
  ranges: ([number, number] | null)[];
}

const idOf = ({ side, cause }: Pick<CauseSeries, 'side' | 'cause'>) => `${side}/${causeKey(cause)}`;

/** One series per cause and side, in the fixed order, an amount per design. */
export function causeSeries(comparison: Comparison): CauseSeries[] {
  const found = new Map<string, CauseSeries & { counts: number[] }>();
  comparison.designs.forEach((design, at) => {
    for (const { side, cause, label, ranked_usd, p10_usd, p90_usd } of design.causes) {
      const key = idOf({ side, cause });
      const entry = found.get(key) ?? {
        side,
        cause,
        label,
        amounts: comparison.designs.map(() => 0),
        ranges: comparison.designs.map(() => null),
        counts: comparison.designs.map(() => 0),
      };
      entry.amounts[at] = (entry.amounts[at] ?? 0) + ranked_usd;
      entry.counts[at] = (entry.counts[at] ?? 0) + 1;
      // Those of several causes do not add up.
      const known = entry.counts[at] === 1 && p10_usd != null && p90_usd != null;
      entry.ranges[at] = known && p10_usd !== p90_usd ? [p10_usd, p90_usd] : null;
      found.set(key, entry);
    }
  });
  const order = (entry: CauseSeries) =>
    (entry.side === 'owned' ? 0 : 100) + causeOrder(entry.side, entry.cause);
  return [...found.values()]
    .filter((entry) => entry.amounts.some((usd) => usd !== 0))
    .sort((a, b) => order(a) - order(b));
}

function finding(comparison: Comparison): string {
  const winner = comparison.designs.find((design) => design.letter === comparison.winner);
  const design = winner ?? comparison.designs[0];
  const largest = design?.causes.reduce(
    (a, b) => (b.ranked_usd > a.ranked_usd ? b : a),
    design.causes[0] ?? { ranked_usd: 0, label: '' },
  );
  if (!design || !largest?.label || design.ranked_usd <= 0) return 'Cost by cause';
  const share = percent(largest.ranked_usd / design.ranked_usd);
  return `Largest cause of ${design.letter}: ${largest.label}, ${share} of its cost`;
}

interface Segment {
  series: CauseSeries;
  at: number;
  usd: number;
  from: number;
}

/** Where each piece of each bar begins: what costs to the right of zero, what pays to the left. */
function segments(series: readonly CauseSeries[], count: number): Segment[] {
  const costs = new Array<number>(count).fill(0);
  const gains = new Array<number>(count).fill(0);
  return series.flatMap((entry) =>
    entry.amounts.map((usd, at) => {
      const level = usd < 0 ? gains : costs;
      const from = level[at] ?? 0;
      level[at] = from + usd;
      return { series: entry, at, usd, from };
    }),
  );
}

// Widths in pixels: of a character of a label, and of the plot as it usually is.
const CHARACTER = 6;
const PLOT = { narrow: 300, wide: 960 };

/** From the end of the longest bar of gains to that of the longest bar of costs. */
function reachOf(pieces: readonly Segment[]): { low: number; high: number } {
  const ends = pieces.map(({ from, usd }) => from + usd);
  return { low: Math.min(0, ...ends) * 1.02, high: Math.max(0, ...ends) };
}

/** A label where its piece is long enough for it; a smaller letter would not be read. */
function labelOf({ series, usd }: Segment, span: number, { narrow }: FigureOptions): string {
  const width = (usd / (span || 1)) * (narrow ? PLOT.narrow : PLOT.wide);
  return width > series.label.length * CHARACTER + 8 ? plotText(series.label) : '';
}

function bars(pieces: readonly Segment[], comparison: Comparison, options: FigureOptions): Trace {
  const { theme, currency } = options;
  const { designs } = comparison;
  const { low, high } = reachOf(pieces);
  const colors = pieces.map(({ series }) => causeColor(series.side, series.cause, theme));
  return {
    type: 'bar',
    orientation: 'h',
    name: 'Causes',
    y: pieces.map((piece) => piece.at),
    x: pieces.map((piece) => piece.usd),
    base: pieces.map((piece) => piece.from),
    marker: { color: colors, line: { width: 1, color: palette[theme].background } },
    text: pieces.map((piece) => labelOf(piece, high - low, options)),
    textposition: 'inside',
    insidetextanchor: 'middle',
    textangle: 0,
    constraintext: 'inside',
    insidetextfont: {
      size: 11,
      color: colors.map((color) => (inkOn(color) === 'light' ? '#FFFFFF' : '#11161C')),
    },
    hovertext: pieces.map(
      ({ series, at, usd }) =>
        `<b>${designs[at]?.letter}, ${plotText(series.label)}</b><br>${money(usd, currency)}, ` +
        percent(usd / (designs[at]?.ranked_usd ?? 1)),
    ),
    hoverinfo: 'text',
  };
}

/** A cause by its name, and its side where both have one of that name. */
function legendOf(series: readonly CauseSeries[], { theme }: FigureOptions): Legend['entries'] {
  const isOfBoth = ({ label }: CauseSeries) =>
    series.filter((other) => other.label === label).length > 1;
  return series.map((entry) => ({
    id: idOf(entry),
    label: isOfBoth(entry) ? `${entry.label}, ${entry.side}` : entry.label,
    color: causeColor(entry.side, entry.cause, theme),
  }));
}

/**
 * Cost by cause: a bar of pieces per design, blue-greys owned and ambers rented. One trace,
 * the pieces cause by cause, since twenty would draw several times slower.
 */
export function causes(comparison: Comparison, options: FigureOptions): Figure {
  const { currency } = options;
  const { designs } = comparison;
  const axis = designAxis(designs, options);
  const series = causeSeries(comparison);
  const drawn = (shown: readonly CauseSeries[]) => [
    bars(segments(shown, designs.length), comparison, options),
  ];
  const reach = reachOf(segments(series, designs.length));
  const title = finding(comparison);
  return {
    title,
    summary: `${title}. ${designs.map((design) => `${nameOf(design)}: ${money(design.ranked_usd, currency)}`).join('; ')}.`,
    data: drawn(series),
    legend: {
      entries: legendOf(series, options),
      without: (hidden) => drawn(series.filter((entry) => !hidden.has(idOf(entry)))),
    },
    layout: {
      ...axis,
      barmode: 'overlay',
      xaxis: {
        ...valueAxis('USD', { ...reach, currency, count: options.narrow ? 2 : 4 }),
        showgrid: true,
      },
    },
    table: {
      columns: [
        { label: 'Cause', unit: '' },
        { label: 'Side', unit: '' },
        ...designs.map((design) => ({ label: design.letter, unit: 'USD' })),
      ],
      rows: [
        ...series.map((entry) => [entry.label, entry.side, ...entry.amounts]),
        ['Total', '', ...designs.map((design) => design.ranked_usd)],
      ],
      adds: true,
    },
  };
}
