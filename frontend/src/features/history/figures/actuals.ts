import { valueAxis } from '../../../lib/axis';
import { withAlpha } from '../../../lib/color';
import type { Figure, Trace } from '../../../lib/figure';
import { money, monthName, type Currency } from '../../../lib/format';
import { chartTokens, designLook, palette, type Theme } from '../../../lib/tokens';
import type { ActualComparison } from '../../../lib/types';

interface Options {
  theme: Theme;
  narrow: boolean;
  currency: Currency;
}

const numbers = (values: readonly (number | null)[]) =>
  values.filter((value): value is number => value !== null);

/** What was paid so far beside what was planned to be, with the simulations' band. */
export function actualOverTime(found: ActualComparison, options: Options): Figure {
  const { theme, narrow, currency } = options;
  const { color } = designLook(found.letter, theme);
  const months = found.months;
  const names = months.map((one) => monthName(one.month));
  const banded = months.filter((one) => one.p10_so_far_usd !== null && one.p90_so_far_usd !== null);
  const band: Trace = {
    type: 'scatter',
    mode: 'lines',
    name: 'P10 to P90',
    x: [...banded.map((one) => one.month), ...banded.map((one) => one.month).reverse()],
    y: [
      ...banded.map((one) => one.p10_so_far_usd),
      ...banded.map((one) => one.p90_so_far_usd).reverse(),
    ],
    fill: 'toself',
    fillcolor: withAlpha(color, chartTokens.band_opacity),
    line: { width: 0 },
    hoverinfo: 'skip',
  };
  const line = (name: string, values: (number | null)[], ink: string, isPlan: boolean): Trace => ({
    type: 'scatter',
    mode: isPlan ? 'lines' : 'lines+markers',
    name,
    x: months.map((one) => one.month),
    y: values,
    line: { color: ink, width: 2, dash: isPlan ? 'dash' : 'solid' },
    marker: { color: ink, size: 6 },
    hovertext: values.map(
      (value, at) => `<b>${name}</b> ${money(value, currency)}<br>${names[at] ?? ''}`,
    ),
    hoverinfo: 'text',
  });
  const planned = months.map((one) => one.planned_so_far_usd);
  const actual = months.map((one) => one.actual_so_far_usd);
  const all = numbers([...planned, ...actual, ...banded.map((one) => one.p90_so_far_usd)]);
  return {
    title: found.sentence.replace(/\.$/, ''),
    summary: found.sentence,
    data: [
      ...(banded.length > 0 ? [band] : []),
      line('Planned', planned, color, true),
      line('Actual', actual, palette[theme].text, false),
    ],
    layout: {
      margin: { l: 64, r: 24, t: 12, b: 40 },
      showlegend: true,
      xaxis: { type: 'date', nticks: narrow ? 3 : 8 },
      yaxis: valueAxis('USD', { low: Math.min(0, ...all), high: Math.max(0, ...all), currency }),
    },
    table: {
      columns: [
        { label: 'Month', unit: '' },
        { label: 'Planned', unit: 'USD' },
        { label: 'Actual', unit: 'USD' },
        { label: 'Difference', unit: 'USD' },
        { label: 'Planned energy', unit: 'kWh' },
        { label: 'Actual energy', unit: 'kWh' },
        { label: 'Planned so far', unit: 'USD' },
        { label: 'P10 so far', unit: 'USD' },
        { label: 'P90 so far', unit: 'USD' },
        { label: 'Actual so far', unit: 'USD' },
      ],
      rows: months.map((one, at) => [
        names[at] ?? one.month,
        one.planned_usd,
        one.actual_usd,
        one.difference_usd,
        one.planned_kwh,
        one.actual_kwh,
        one.planned_so_far_usd,
        one.p10_so_far_usd,
        one.p90_so_far_usd,
        one.actual_so_far_usd,
      ]),
    },
  };
}
