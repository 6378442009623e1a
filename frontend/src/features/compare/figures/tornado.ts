import { valueAxis } from '../../../lib/axis';
import {
  designByLetter,
  enteredUsd,
  type Comparison,
  type TornadoBar,
} from '../../../lib/comparison';
import type { Figure, Trace } from '../../../lib/figure';
import { money, moneyChange, quantity } from '../../../lib/format';
import { chartTokens, palette } from '../../../lib/tokens';
import { plotText, shortOf, type FigureOptions } from './options';

const SHOWN = 10;

function swing(bar: TornadoBar): number {
  return Math.abs(bar.at_high_usd - bar.at_low_usd);
}

function crosses(bar: TornadoBar): boolean {
  return bar.at_low_usd > 0 !== bar.at_high_usd > 0;
}

interface EndLabel {
  x: number;
  y: number;
  text: string;
  left: boolean;
}

function labelsOf(bars: readonly TornadoBar[], options: FigureOptions): EndLabel[] {
  const { currency, narrow } = options;
  return bars.flatMap((bar, y) => {
    const lowLeft = bar.at_low_usd <= bar.at_high_usd;
    const text = (value: number) => {
      const whole = quantity(value, bar.unit, currency);
      // On a phone there is no room for "per rack and month"; the table has it.
      return `\u00a0${narrow ? whole.replace(/\/.*$/, '') : whole}\u00a0`;
    };
    return [
      { x: bar.at_low_usd, y, text: text(bar.low), left: lowLeft },
      { x: bar.at_high_usd, y, text: text(bar.high), left: !lowLeft },
    ];
  });
}

// Widths in pixels: of a character of a label, and of the plot as it usually is.
const CHARACTER = 6.2;
const PLOT = { narrow: 240, wide: 440 };

/** Free space past the ends, as shares of the span, in which the labels of the bars fit. */
function roomFor(ends: readonly EndLabel[], options: FigureOptions): [number, number] {
  const low = Math.min(0, ...ends.map((end) => end.x));
  const high = Math.max(0, ...ends.map((end) => end.x));
  const span = high - low || 1;
  const share = CHARACTER / (options.narrow ? PLOT.narrow : PLOT.wide);
  let room: [number, number] = [0.04, 0.04];
  // More room makes the labels larger against the span; a few rounds settle it.
  for (let round = 0; round < 6; round += 1) {
    const whole = 1 + room[0] + room[1];
    const needed = (left: boolean) =>
      Math.max(
        0.04,
        ...ends
          .filter((end) => end.left === left)
          .map((end) => {
            const inside = left ? end.x - low : high - end.x;
            return end.text.length * share * whole - inside / span;
          }),
      );
    room = [Math.min(1, needed(true)), Math.min(1, needed(false))];
  }
  return room;
}

/** The input's own value at the end of each bar; one trace, which draws faster than labels do. */
function endLabels(ends: readonly EndLabel[], { theme }: FigureOptions): Trace {
  return {
    type: 'scatter',
    mode: 'text',
    name: 'Values',
    x: ends.map((end) => end.x),
    y: ends.map((end) => end.y),
    text: ends.map((end) => end.text),
    textposition: ends.map((end) => (end.left ? 'middle left' : 'middle right')),
    textfont: { size: 11, color: palette[theme].muted },
    cliponaxis: false,
    hoverinfo: 'skip',
  };
}

/** Where the bars start; results stored before version 2.14 have them as entered. */
function centerOf(comparison: Comparison): number {
  const { winner, runner_up: rival, tornado_center_usd: center } = comparison;
  if (center != null) return center;
  const usd = (letter: string | null) => {
    const design = designByLetter(comparison, letter);
    return design ? enteredUsd(design, comparison) : 0;
  };
  return usd(winner) - usd(rival);
}

/** How far each input moves the difference between the two best designs, largest first. */
export function tornado(comparison: Comparison, options: FigureOptions): Figure | null {
  const { winner, runner_up: rival, tornado: all } = comparison;
  const bars = all.slice(0, SHOWN);
  const [first] = bars;
  if (!first || !winner || !rival) return null;
  const { theme, currency } = options;
  const now = centerOf(comparison);
  const ends = bars.flatMap((bar) => [bar.at_low_usd, bar.at_high_usd]);
  const labels = labelsOf(bars, options);
  const title = `${first.label} moves the difference most: ${money(swing(first), currency)}`;
  const side = (sign: 'low' | 'high') => bars.map((bar) => bar[`at_${sign}_usd`] - now);
  const colors = { low: chartTokens.tornado.low[theme], high: chartTokens.tornado.high[theme] };
  return {
    title,
    summary: `${title}. ${bars
      .map(
        (bar) =>
          `${bar.label}: ${moneyChange(bar.at_low_usd, currency)} at ${quantity(bar.low, bar.unit, currency)}, ${moneyChange(bar.at_high_usd, currency)} at ${quantity(bar.high, bar.unit, currency)}`,
      )
      .join('; ')}.`,
    data: [
      ...(['low', 'high'] as const).map((sign): Trace => ({
        type: 'bar' as const,
        orientation: 'h' as const,
        name: `At the ${sign} value`,
        y: bars.map((_, at) => at),
        x: side(sign),
        base: now,
        width: 0.62,
        marker: { color: colors[sign] },
        hovertext: bars.map(
          (bar) =>
            `<b>${plotText(bar.label)}</b> at ${quantity(bar[sign], bar.unit, currency)}<br>` +
            `${winner} minus ${rival}: ${moneyChange(bar[`at_${sign}_usd`], currency)}`,
        ),
        hoverinfo: 'text' as const,
      })),
      endLabels(labels, options),
    ],
    layout: {
      margin: { l: options.narrow ? 116 : 190, r: 16, t: 8, b: 44 },
      barmode: 'overlay',
      xaxis: {
        ...valueAxis('USD', {
          low: Math.min(0, ...ends),
          high: Math.max(0, ...ends),
          currency,
          room: roomFor(labels, options),
          count: options.narrow ? 3 : 5,
        }),
        title: { text: `${winner} minus ${rival}, mean; left of zero ${winner} is cheaper` },
        showgrid: true,
      },
      yaxis: {
        tickmode: 'array',
        tickvals: bars.map((_, at) => at),
        ticktext: bars.map((bar) => {
          const label = plotText(shortOf(bar.label, options.narrow ? 17 : 28));
          return crosses(bar) ? `<b>${label}</b>` : label;
        }),
        range: [bars.length - 0.45, -0.55],
        showgrid: false,
      },
      shapes: [
        {
          type: 'line',
          x0: 0,
          x1: 0,
          yref: 'paper',
          y0: 0,
          y1: 1,
          line: { color: palette[theme].text, width: 1 },
        },
        {
          type: 'line',
          x0: now,
          x1: now,
          yref: 'paper',
          y0: 0,
          y1: 1,
          line: { color: palette[theme].muted, width: 1, dash: 'dot' },
        },
      ],
    },
    table: {
      columns: [
        { label: 'Input', unit: '' },
        { label: 'Now', unit: '' },
        { label: 'Low', unit: '' },
        { label: 'High', unit: '' },
        { label: 'Difference at low', unit: 'USD' },
        { label: 'Difference at high', unit: 'USD' },
      ],
      rows: bars.map((bar) => [
        bar.label,
        quantity(bar.value, bar.unit, currency),
        quantity(bar.low, bar.unit, currency),
        quantity(bar.high, bar.unit, currency),
        bar.at_low_usd,
        bar.at_high_usd,
      ]),
    },
  };
}
