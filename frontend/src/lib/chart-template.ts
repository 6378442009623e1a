import type { Layout, LayoutAxis } from 'plotly.js';
import type { Trace } from './figure';
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

/** Whether a figure is read along its lines: then one crosshair tells all of them. */
const hasLines = (data: readonly Trace[]) =>
  data.some(({ type, mode }) => type === 'scatter' && mode?.includes('lines')) &&
  data.every(({ type }) => type === 'scatter');

/** A line across all series where the pointer is. */
const crosshair = (theme: Theme): Axis => ({
  showspikes: true,
  spikemode: 'across',
  spikesnap: 'hovered data',
  spikethickness: 1,
  spikedash: 'dot',
  spikecolor: palette[theme].muted,
});

/**
 * The house style: no box, light horizontal grid, quiet axes; the figure's own layout on top.
 * Where a pointer is fine enough, dragging along a chart zooms into it.
 */
export function withTemplate(
  own: Partial<Layout>,
  theme: Theme,
  { data = [], zoom = false }: { data?: readonly Trace[]; zoom?: boolean } = {},
): Partial<Layout> {
  const colors = palette[theme];
  const upright = merged({ ...axis(theme), showgrid: true, ticklabelstandoff: 6 }, own.yaxis);
  const lines = hasLines(data);
  const along = { ...axis(theme), ...(lines && crosshair(theme)), fixedrange: !zoom };
  return {
    paper_bgcolor: 'rgba(0,0,0,0)',
    plot_bgcolor: 'rgba(0,0,0,0)',
    font: { family: fontFamily, size: 12, color: colors.text },
    margin: { l: 60, r: 16, t: 8, b: 40 },
    showlegend: false,
    hovermode: lines ? 'x' : 'closest',
    hoverlabel: {
      bgcolor: colors.background,
      bordercolor: colors.border,
      font: { family: fontFamily, size: 12, color: colors.text },
      align: 'left',
    },
    bargap: 0.3,
    dragmode: zoom ? 'zoom' : false,
    // What was zoomed into stays so while the figure's numbers move.
    uirevision: 'kept',
    ...own,
    xaxis: merged(along, own.xaxis),
    yaxis: upright,
  };
}
