import type { Datum } from 'plotly.js';
import { valueAxis } from '../../../lib/axis';
import type { Comparison, DesignResult } from '../../../lib/comparison';
import type { Figure, Trace } from '../../../lib/figure';
import { quantity, range } from '../../../lib/format';
import { palette, tintColor } from '../../../lib/tokens';
import { designAxis, unknownNote } from './by-design';
import { nameOf, plotText, type FigureOptions } from './options';

interface Amount {
  value: number | null;
  low: number | null;
  high: number | null;
  reason: string | null;
}

interface Part {
  label: string;
  color: string;
  values: number[];
}

function words(amount: Amount, unit: string): string {
  if (amount.value !== null) {
    const span =
      amount.low !== null && amount.high !== null && amount.low !== amount.high
        ? ` (${range(amount.low, amount.high, unit)})`
        : '';
    return `${quantity(amount.value, unit)}${span}`;
  }
  if (amount.low !== null && amount.high !== null) {
    return `estimate, ${range(amount.low, amount.high, unit)}`;
  }
  return `not known: ${amount.reason ?? 'no model supplies it'}`;
}

/** Stacked parts per design, whiskers for the range, and a range alone where only that is known. */
function build(
  designs: readonly DesignResult[],
  options: FigureOptions,
  what: { unit: string; amounts: Amount[]; parts: Part[]; title: string; axis: string },
): Figure {
  const { theme } = options;
  const { unit, amounts, parts } = what;
  const rows = designs.map((_, at) => at);
  const axis = designAxis(designs, options);
  const high = Math.max(0, ...amounts.flatMap((amount) => [amount.value ?? 0, amount.high ?? 0]));
  const bars = parts.map((part): Trace => ({
    type: 'bar',
    orientation: 'h',
    name: plotText(part.label),
    y: rows,
    x: part.values,
    marker: { color: part.color, line: { width: 1, color: palette[theme].background } },
    hovertext: part.values.map(
      (value, at) =>
        `<b>${designs[at]?.letter}, ${plotText(part.label)}</b><br>${quantity(value, unit)}`,
    ),
    hoverinfo: 'text',
  }));
  const ranged = rows.filter((at) => amounts[at]?.low != null && amounts[at]?.high != null);
  const middle = (at: number) => {
    const amount = amounts[at];
    return amount?.value ?? ((amount?.low ?? 0) + (amount?.high ?? 0)) / 2;
  };
  const whiskers: Trace = {
    type: 'scatter',
    mode: 'markers',
    name: 'Range',
    showlegend: false,
    x: ranged.map(middle),
    y: ranged as Datum[],
    marker: {
      size: ranged.map((at) => (amounts[at]?.value === null ? 7 : 1)),
      color: palette[theme].text,
      symbol: 'line-ns',
    },
    error_x: {
      type: 'data',
      symmetric: false,
      array: ranged.map((at) => (amounts[at]?.high ?? 0) - middle(at)),
      arrayminus: ranged.map((at) => middle(at) - (amounts[at]?.low ?? 0)),
      color: palette[theme].muted,
      thickness: 1.5,
      width: 5,
    },
    hovertext: ranged.map((at) => words(amounts[at] as Amount, unit)),
    hoverinfo: 'text',
  };
  return {
    title: what.title,
    summary: `${what.title}. ${designs.map((design, at) => `${nameOf(design)}: ${words(amounts[at] as Amount, unit)}`).join('; ')}.`,
    data: [...bars, whiskers],
    layout: {
      ...axis,
      barmode: 'stack',
      margin: { ...axis.margin, t: 24 },
      xaxis: {
        ...valueAxis(unit, { low: 0, high: high || 1, count: options.narrow ? 2 : 4 }),
        showgrid: true,
        title: { text: what.axis },
      },
      showlegend: parts.length > 1,
      annotations: rows
        .filter((at) => amounts[at]?.value == null && amounts[at]?.low == null)
        .map((at) => unknownNote(at, amounts[at]?.reason ?? 'No model supplies it', theme)),
    },
    table: {
      columns: [
        { label: 'Design', unit: '' },
        { label: what.axis, unit },
        { label: 'Low', unit },
        { label: 'High', unit },
        ...parts.map((part) => ({ label: part.label, unit })),
        { label: 'Reason', unit: '' },
      ],
      rows: designs.map((design, at) => [
        nameOf(design),
        amounts[at]?.value ?? null,
        amounts[at]?.low ?? null,
        amounts[at]?.high ?? null,
        ...parts.map((part) => (amounts[at]?.value == null ? null : (part.values[at] ?? null))),
        amounts[at]?.reason ?? '',
      ]),
    },
  };
}

function leastFinding(
  designs: readonly DesignResult[],
  amounts: Amount[],
  unit: string,
  verb: string,
) {
  const known = designs
    .map((design, at) => ({ letter: design.letter, value: amounts[at]?.value ?? null }))
    .filter((entry): entry is { letter: string; value: number } => entry.value !== null)
    .sort((a, b) => a.value - b.value);
  const [least] = known;
  if (!least) return null;
  const among = known.length < designs.length ? ' of those that are known' : '';
  return known.length === 1
    ? `${least.letter} ${verb} ${quantity(least.value, unit)}`
    : `${least.letter} ${verb} least${among}: ${quantity(least.value, unit)}`;
}

const LABELS: Record<string, string> = {
  servers: 'Servers',
  cooling: 'Cooling',
  storage: 'Storage',
  network: 'Network',
};

function label(cause: string): string {
  return LABELS[cause] ?? cause.charAt(0).toUpperCase() + cause.slice(1).replaceAll('_', ' ');
}

export function energy(comparison: Comparison, options: FigureOptions): Figure {
  const { designs } = comparison;
  const amounts = designs.map(({ energy: drawn }) => ({
    value: drawn.kwh,
    low: drawn.low_kwh,
    high: drawn.high_kwh,
    reason: drawn.reason,
  }));
  const causes = [...new Set(designs.flatMap((design) => Object.keys(design.energy_by_cause_kwh)))];
  const parts = causes.map((cause, at) => ({
    label: label(cause),
    color: tintColor(at, options.theme),
    values: designs.map((design) => design.energy_by_cause_kwh[cause] ?? 0),
  }));
  const title =
    leastFinding(designs, amounts, 'kWh', 'uses') ?? 'Energy is not known for these designs';
  return build(designs, options, { unit: 'kWh', amounts, parts, title, axis: 'Energy' });
}

export function carbon(comparison: Comparison, options: FigureOptions): Figure {
  const { designs } = comparison;
  const amounts = designs.map(({ carbon: emitted }) => ({
    value: emitted.kgco2e,
    low: emitted.low_kgco2e,
    high: emitted.high_kgco2e,
    reason: emitted.reason,
  }));
  const parts = [
    { label: 'Operation', pick: (design: DesignResult) => design.carbon.operational_kgco2e },
    { label: 'Making the hardware', pick: (design: DesignResult) => design.carbon.embodied_kgco2e },
  ].map((part, at) => ({
    label: part.label,
    color: tintColor(at * 2, options.theme),
    values: designs.map((design) => part.pick(design) ?? 0),
  }));
  const title =
    leastFinding(designs, amounts, 'kg CO2e', 'emits') ?? 'Carbon is not known for these designs';
  return build(designs, options, { unit: 'kg CO2e', amounts, parts, title, axis: 'Carbon' });
}
