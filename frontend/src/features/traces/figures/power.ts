import { valueAxis } from '../../../lib/axis';
import type { Figure } from '../../../lib/figure';
import { percent, quantity } from '../../../lib/format';
import { chartTokens, designLook } from '../../../lib/tokens';
import type { PowerAnswer } from '../power';
import type { TraceFigureOptions } from './options';

/** Power over load: what was measured in each tenth of load, and the curve through it. */
export function powerFigure(answer: PowerAnswer, { theme }: TraceFigureOptions): Figure {
  const { bands, power_idle: idle, power_max: full } = answer;
  const color = designLook('A', theme).color;
  const line = [
    [0, idle.value_w] as const,
    ...bands.map((band) => [band.utilization_fraction, band.curve_w] as const),
    [1, full.value_w] as const,
  ];
  const most = Math.max(full.high_w, ...bands.map(({ measured_w }) => measured_w));
  const title = `From ${quantity(idle.value_w, 'W')} idle to ${quantity(full.value_w, 'W')} at full load`;
  return {
    title,
    summary: `${title}. ${bands
      .map(
        (band) =>
          `${quantity(band.measured_w, 'W')} measured at ${percent(band.utilization_fraction)}`,
      )
      .join('; ')}.`,
    data: [
      {
        type: 'scatter',
        mode: 'lines',
        name: 'Curve',
        x: line.map(([load]) => load),
        y: line.map(([, watts]) => watts),
        line: { color, width: chartTokens.line_px },
        hovertemplate: 'Curve: %{y:.4g} W at %{x:.0%}<extra></extra>',
      },
      {
        type: 'scatter',
        mode: 'markers',
        name: 'Ends, nine of ten refits',
        x: [0, 1],
        y: [idle.value_w, full.value_w],
        marker: { color, size: 1 },
        error_y: {
          type: 'data',
          symmetric: false,
          array: [idle.high_w - idle.value_w, full.high_w - full.value_w],
          arrayminus: [idle.value_w - idle.low_w, full.value_w - full.low_w],
          color,
          thickness: 1.5,
          width: 6,
        },
        hoverinfo: 'skip',
        showlegend: false,
        cliponaxis: false,
      },
      {
        type: 'scatter',
        mode: 'markers',
        name: 'Measured, mean of a tenth of load',
        x: bands.map((band) => band.utilization_fraction),
        y: bands.map((band) => band.measured_w),
        marker: { size: 9, color: designLook('B', theme).color, symbol: 'diamond' },
        hovertext: bands.map(
          (band) =>
            `${quantity(band.measured_w, 'W')} at ${percent(band.utilization_fraction)}, ` +
            `${band.samples_count.toLocaleString('en-GB')} samples`,
        ),
        hoverinfo: 'text',
        cliponaxis: false,
      },
    ],
    layout: {
      margin: { l: 64, r: 24, t: 12, b: 44 },
      showlegend: true,
      xaxis: {
        ...valueAxis('fraction', { low: 0, high: 1, room: [0.02, 0.02] }),
        title: { text: 'Load' },
      },
      yaxis: { ...valueAxis('W', { low: 0, high: most }), title: { text: 'Power of a machine' } },
    },
    table: {
      columns: [
        { label: 'Load', unit: 'fraction' },
        { label: 'Samples', unit: 'count' },
        { label: 'Measured', unit: 'W' },
        { label: 'Curve', unit: 'W' },
      ],
      rows: bands.map((band) => [
        band.utilization_fraction,
        band.samples_count,
        band.measured_w,
        band.curve_w,
      ]),
    },
  };
}
