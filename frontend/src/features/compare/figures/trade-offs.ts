import { valueAxis } from '../../../lib/axis';
import type { Comparison, DesignResult } from '../../../lib/comparison';
import type { Figure, Trace } from '../../../lib/figure';
import { money, quantity, range, type Currency } from '../../../lib/format';
import { designLook, palette, type Theme } from '../../../lib/tokens';
import { labelGroups, placed } from './labels';
import { plotText, short } from './options';

export type Against = 'energy' | 'carbon' | 'response';

interface Options {
  theme: Theme;
  currency: Currency;
  narrow: boolean;
}

export const AGAINST: { value: Against; label: string }[] = [
  { value: 'energy', label: 'Energy' },
  { value: 'carbon', label: 'Carbon' },
  { value: 'response', label: 'Response time' },
];

const UNITS: Record<Against, string> = { energy: 'kWh', carbon: 'kgCO2e', response: 'ms' };
const NAMES: Record<Against, string> = {
  energy: 'Energy',
  carbon: 'Carbon',
  response: 'Mean response time',
};

interface Point {
  design: DesignResult;
  usd: number;
  value: number | null;
  low: number | null;
  high: number | null;
  reason: string;
}

const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/** The response time where a row of the comparison has one. */
function responseRow(comparison: Comparison) {
  return comparison.rows.find(({ unit, id }) => unit === 'ms' || id.startsWith('response'));
}

const known = (value: number | null | undefined): number | null => value ?? null;

function pointOf(comparison: Comparison, design: DesignResult, against: Against): Point {
  const head = { design, usd: design.ranked_usd };
  if (against === 'response') return { ...head, ...responseOf(comparison, design) };
  const { energy, carbon } = design;
  const [value, low, high, reason] =
    against === 'energy'
      ? [energy.kwh, energy.low_kwh, energy.high_kwh, energy.reason]
      : [carbon.kgco2e, carbon.low_kgco2e, carbon.high_kgco2e, carbon.reason];
  return {
    ...head,
    value: known(value),
    low: known(low),
    high: known(high),
    reason: String(reason ?? ''),
  };
}

function responseOf(comparison: Comparison, design: DesignResult) {
  const row = responseRow(comparison);
  const value = row?.values[design.letter];
  const reason = row?.reasons?.[design.letter] ?? 'No model of this design says a response time.';
  return { value: isNumber(value) ? value : null, low: null, high: null, reason };
}

/** Designs with both figures, and those of which one is not known, with the reason. */
export function paretoPoints(comparison: Comparison, against: Against) {
  const points = comparison.designs.map((design) => pointOf(comparison, design, against));
  const known = points.filter((point): point is Point & { value: number } => point.value !== null);
  return { known, unknown: points.filter((point) => point.value === null) };
}

/** The designs that no other beats in both: from the cheapest to the one with least of the rest. */
export function front<P extends { usd: number; value: number }>(points: readonly P[]): P[] {
  const order = [...points].sort((a, b) => a.usd - b.usd || a.value - b.value);
  let least = Number.POSITIVE_INFINITY;
  return order.filter((point) => {
    if (point.value >= least) return false;
    least = point.value;
    return true;
  });
}

/** What an axis of points spans; zero too when it is near. */
function ends(values: readonly number[]): { low: number; high: number } {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = (high - low) * 0.25 || Math.abs(high) * 0.1 || 1;
  return { low: low >= 0 ? Math.max(0, low - room) : low - room, high };
}

function whiskers(points: readonly (Point & { value: number })[]) {
  return {
    type: 'data' as const,
    symmetric: false,
    array: points.map(({ value, high }) => (high === null ? 0 : Math.max(0, high - value))),
    arrayminus: points.map(({ value, low }) => (low === null ? 0 : Math.max(0, value - low))),
    thickness: 1,
    width: 4,
  };
}

/** Cost against energy, carbon or response time; the line joins what no design beats in both. */
export function pareto(comparison: Comparison, against: Against, options: Options): Figure | null {
  const { theme, currency, narrow } = options;
  const { known } = paretoPoints(comparison, against);
  if (known.length === 0) return null;
  const line = front(known);
  const unit = UNITS[against];
  const letters = line.map(({ design }) => design.letter);
  const title =
    line.length === 1
      ? `${letters[0]} has both the least cost and the least ${NAMES[against].toLowerCase()}`
      : `${letters.slice(0, -1).join(', ')} and ${letters.at(-1)}: no design beats them in both`;
  const costs = ends(known.map(({ usd }) => usd));
  const others = ends(
    known.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]),
  );
  const label = ({ design }: Point) => {
    const { color } = designLook(design.letter, theme);
    const name = narrow ? '' : ` ${plotText(short(design.title, 22))}`;
    return `  <span style="color:${color}"><b>${design.letter}</b>${name}</span>  `;
  };
  const labels = new Map(
    labelGroups(known, { costs, others, narrow }).flatMap((group) => placed(group, label)),
  );
  const colors = known.map(({ design }) => designLook(design.letter, theme).color);
  return {
    title,
    summary: `${title}. ${known.map(({ design, usd, value }) => `${design.letter}: ${money(usd, currency)}, ${quantity(value, unit)}`).join('; ')}.`,
    data: [
      {
        type: 'scatter',
        mode: 'lines',
        name: 'Not beaten',
        x: line.map(({ usd }) => usd),
        y: line.map(({ value }) => value),
        line: { color: palette[theme].muted, width: 1, dash: 'dot', shape: 'hv' },
        hoverinfo: 'skip',
      },
      ...known.map((point, at): Trace => ({
        type: 'scatter',
        mode: 'text+markers',
        name: point.design.letter,
        x: [point.usd],
        y: [point.value],
        error_y: { ...whiskers([point]), color: colors[at] },
        ...labels.get(point),
        textfont: { size: 12, color: colors[at] },
        marker: {
          size: 12,
          color: colors[at],
          symbol: designLook(point.design.letter, theme).marker,
        },
        hovertext: [
          `<b>${plotText(`${point.design.letter}, ${point.design.title}`)}</b><br>` +
            `${money(point.usd, currency)}<br>${quantity(point.value, unit)}` +
            (point.low === null || point.high === null
              ? ''
              : `, ${range(point.low, point.high, unit)}`),
        ],
        hoverinfo: 'text',
        cliponaxis: false,
      })),
    ],
    layout: {
      margin: { l: 84, r: 24, t: 12, b: 48 },
      xaxis: {
        ...valueAxis('USD', {
          ...costs,
          currency,
          room: [0, 0.1],
          count: narrow ? 3 : 5,
        }),
        showgrid: true,
        title: { text: comparison.measure },
      },
      yaxis: {
        ...valueAxis(unit, { ...others, room: [0, 0.08] }),
        title: { text: NAMES[against] },
      },
    },
    table: {
      columns: [
        { label: 'Design', unit: '' },
        { label: 'Cost', unit: 'USD' },
        { label: NAMES[against], unit },
        { label: 'Low', unit },
        { label: 'High', unit },
        { label: 'Beaten in both', unit: '' },
      ],
      rows: known.map((point) => [
        `${point.design.letter}, ${point.design.title}`,
        point.usd,
        point.value,
        point.low,
        point.high,
        line.includes(point) ? 'no' : 'yes',
      ]),
    },
  };
}

/** What each design costs with its uncertainty: P10, the middle and P90 of the draws. */
export function spreadOfCost(
  comparison: Comparison,
  { theme, currency, narrow }: Options,
): Figure | null {
  const designs = comparison.designs.filter(
    (design) => isNumber(design.p10_usd) && isNumber(design.p90_usd) && isNumber(design.p50_usd),
  );
  if (!comparison.odds || designs.length === 0) return null;
  const of = (design: DesignResult, key: 'p10_usd' | 'p50_usd' | 'p90_usd') => design[key] ?? 0;
  const widest = designs.reduce((most, design) =>
    of(design, 'p90_usd') - of(design, 'p10_usd') > of(most, 'p90_usd') - of(most, 'p10_usd')
      ? design
      : most,
  );
  const title = `${widest.letter} is the least certain: ${range(of(widest, 'p10_usd'), of(widest, 'p90_usd'), 'USD', currency)} (P10–P90)`;
  const span = ends(designs.flatMap((design) => [of(design, 'p10_usd'), of(design, 'p90_usd')]));
  const colors = designs.map((design) => designLook(design.letter, theme).color);
  return {
    title,
    summary: `${title}. ${designs.map((design) => `${design.letter}: ${range(of(design, 'p10_usd'), of(design, 'p90_usd'), 'USD', currency)}`).join('; ')}.`,
    data: [
      {
        type: 'bar',
        orientation: 'h',
        name: 'P10–P90',
        y: designs.map((_, at) => at),
        base: designs.map((design) => of(design, 'p10_usd')),
        x: designs.map((design) => of(design, 'p90_usd') - of(design, 'p10_usd')),
        width: 0.4,
        marker: { color: colors, opacity: 0.35 },
        hovertext: designs.map(
          (design) =>
            `<b>${plotText(`${design.letter}, ${design.title}`)}</b><br>` +
            `P10 ${money(of(design, 'p10_usd'), currency)}, P50 ${money(of(design, 'p50_usd'), currency)}, ` +
            `P90 ${money(of(design, 'p90_usd'), currency)}`,
        ),
        hoverinfo: 'text',
      },
      {
        type: 'scatter',
        mode: 'text+markers',
        name: 'P50',
        y: designs.map((_, at) => at),
        x: designs.map((design) => of(design, 'p50_usd')),
        text: designs.map((design) => `${money(of(design, 'p50_usd'), currency)}<br><br><br>`),
        textposition: 'middle center',
        textfont: { size: 12, color: palette[theme].text },
        marker: { size: 10, symbol: 'line-ns', color: colors, line: { width: 3, color: colors } },
        hoverinfo: 'skip',
      },
    ],
    layout: {
      margin: { l: narrow ? 28 : 164, r: 24, t: 8, b: 48 },
      xaxis: {
        ...valueAxis('USD', { ...span, currency, count: narrow ? 3 : 6 }),
        showgrid: true,
        title: {
          text: `${comparison.measure.replace(', mean', '')}, ${comparison.odds.draws_count.toLocaleString('en-GB')} simulations`,
        },
      },
      yaxis: {
        tickmode: 'array',
        tickvals: designs.map((_, at) => at),
        ticktext: designs.map(
          (design, at) =>
            `<b style="color:${colors[at]}">${design.letter}</b>${narrow ? '' : ` ${plotText(short(design.title, 20))}`}`,
        ),
        range: [designs.length - 0.4, -0.7],
        showgrid: false,
      },
    },
    table: {
      columns: [
        { label: 'Design', unit: '' },
        { label: 'P10', unit: 'USD' },
        { label: 'P50', unit: 'USD' },
        { label: 'P90', unit: 'USD' },
      ],
      rows: designs.map((design) => [
        `${design.letter}, ${design.title}`,
        of(design, 'p10_usd'),
        of(design, 'p50_usd'),
        of(design, 'p90_usd'),
      ]),
    },
  };
}
