import type { Comparison } from '../../../lib/comparison';
import type { Figure } from '../../../lib/figure';
import { percent } from '../../../lib/format';
import { designLook, palette } from '../../../lib/tokens';
import { designAxis } from './by-design';
import { nameOf, plotText, type FigureOptions } from './options';

/** In how many of the simulations each design is the cheapest; nothing when nothing was drawn. */
export function odds(comparison: Comparison, options: FigureOptions): Figure | null {
  const { odds: drawn, designs } = comparison;
  if (!drawn) return null;
  const { theme } = options;
  const axis = designAxis(designs, options);
  const shares = designs.map((design) => drawn.wins[design.letter] ?? 0);
  const best = shares.indexOf(Math.max(...shares));
  const draws = drawn.draws_count.toLocaleString('en-GB');
  const title = `${designs[best]?.letter ?? ''} is cheapest in ${percent(shares[best])} of ${draws} simulations`;
  return {
    title,
    summary: `${title}. ${designs.map((design, at) => `${nameOf(design)}: ${percent(shares[at])}`).join('; ')}.`,
    data: [
      {
        type: 'bar',
        orientation: 'h',
        y: designs.map((_, at) => at),
        x: shares,
        marker: { color: designs.map((design) => designLook(design.letter, theme).color) },
        text: shares.map((share) => percent(share)),
        textposition: 'outside',
        constraintext: 'none',
        cliponaxis: false,
        textfont: { size: 12, color: palette[theme].text },
        hovertext: designs.map(
          (design, at) =>
            `<b>${plotText(nameOf(design))}</b><br>cheapest in ${percent(shares[at])}`,
        ),
        hoverinfo: 'text',
      },
    ],
    layout: {
      ...axis,
      xaxis: {
        title: { text: 'Share of simulations in which it is cheapest' },
        range: [0, 1.08],
        tickmode: 'array',
        tickvals: [0, 0.25, 0.5, 0.75, 1],
        ticktext: ['0%', '25%', '50%', '75%', '100%'],
        showgrid: true,
      },
    },
    table: {
      columns: [
        { label: 'Design', unit: '' },
        { label: 'Share of simulations in which it is cheapest', unit: 'fraction' },
      ],
      rows: designs.map((design, at) => [nameOf(design), shares[at] ?? null]),
    },
  };
}
