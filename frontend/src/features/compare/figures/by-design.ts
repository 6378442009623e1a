import type { Annotations, Layout } from 'plotly.js';
import type { DesignResult } from '../../../lib/comparison';
import { designLook, palette, type Theme } from '../../../lib/tokens';
import { plotText, short, type FigureOptions } from './options';

/** A category axis with one row per design, the first on top, each by its letter and title. */
export function designAxis(
  designs: readonly DesignResult[],
  { theme, narrow }: FigureOptions,
): Partial<Layout> {
  const room = designs.length > 5 ? 16 : 20;
  return {
    bargap: 0.4,
    margin: { l: narrow ? 28 : 164, r: 24, t: 8, b: 40 },
    yaxis: {
      tickmode: 'array',
      tickvals: designs.map((_, at) => at),
      ticktext: designs.map((design) => {
        const { color } = designLook(design.letter, theme);
        const title = plotText(short(design.title, room));
        const letter = `<b style="color:${color}">${design.letter}</b>`;
        return narrow ? letter : `${letter} ${title}`;
      }),
      range: [designs.length - 0.45, -0.55],
      showgrid: false,
    },
  };
}

/** An em dash with the reason where a design has no number. */
export function unknownNote(at: number, reason: string, theme: Theme): Partial<Annotations> {
  return {
    x: 0,
    y: at,
    xanchor: 'left',
    xshift: 4,
    text: `— <span style="font-size:11px">${plotText(short(reason, 48))}</span>`,
    hovertext: plotText(reason),
    showarrow: false,
    font: { size: 12, color: palette[theme].muted },
  };
}
