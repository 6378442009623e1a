import type { Layout, LayoutAxis } from 'plotly.js';
import { fontFamily, palette, type Theme } from './tokens';

/** With what the published types leave out. */
type Axis = Partial<LayoutAxis> & {
  ticklabelstandoff?: number;
  ticklabeloverflow?: string;
};

function axis(theme: Theme): Axis {
  const colors = palette[theme];
  return {
    automargin: false,
    // Labels are kept short by the figures; measuring each costs time in every frame.
    ticklabeloverflow: 'allow',
    fixedrange: true,
    showgrid: false,
    zeroline: false,
    showline: false,
    ticks: '',
    tickfont: { size: 12, color: colors.muted },
    title: { font: { size: 12, color: colors.muted }, standoff: 8 },
    gridcolor: colors.grid,
    zerolinecolor: colors.border,
  };
}

function merged(base: Axis, own: Axis | undefined): Axis {
  const title = { ...(base.title as object), ...(own?.title as object | undefined) };
  return { ...base, ...own, title };
}

/** The house style: no box, light horizontal grid, quiet axes; the figure's own layout on top. */
export function withTemplate(own: Partial<Layout>, theme: Theme): Partial<Layout> {
  const colors = palette[theme];
  const upright = merged({ ...axis(theme), showgrid: true, ticklabelstandoff: 6 }, own.yaxis);
  return {
    paper_bgcolor: 'rgba(0,0,0,0)',
    plot_bgcolor: 'rgba(0,0,0,0)',
    font: { family: fontFamily, size: 12, color: colors.text },
    margin: { l: 60, r: 16, t: 8, b: 40 },
    showlegend: false,
    hovermode: 'closest',
    hoverlabel: {
      bgcolor: colors.background,
      bordercolor: colors.border,
      font: { family: fontFamily, size: 12, color: colors.text },
      align: 'left',
    },
    bargap: 0.3,
    dragmode: false,
    ...own,
    xaxis: merged(axis(theme), own.xaxis),
    yaxis: upright,
  };
}
