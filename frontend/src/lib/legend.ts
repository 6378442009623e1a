import type { PlotData } from 'plotly.js';
import type { Figure, Legend, Trace } from './figure';
import { plotText } from './plotting';

const idOf = (trace: Trace) => trace.legendgroup || trace.name || '';

function isListed(trace: Trace): boolean {
  return trace.showlegend !== false && idOf(trace) !== '' && trace.visible !== false;
}

/** A name as text; figures hold it as Plotly's markup. */
function textOf(name: string): string {
  return name.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** The colour that a series is told by: of its bars or marks, else of its line or what it fills. */
export function colorOf({ marker, line, fillcolor }: Trace): string {
  const found: unknown = marker?.color ?? line?.color ?? fillcolor;
  const one: unknown = Array.isArray(found) ? found[0] : found;
  return typeof one === 'string' ? one : 'currentColor';
}

/** What the colours of a figure mean: its own legend, else one of the series that it lists. */
export function legendOf(figure: Figure): Legend | undefined {
  if (figure.legend || !figure.layout.showlegend) return figure.legend;
  const listed = figure.data.filter(isListed);
  const entries = listed.map((trace) => ({
    id: idOf(trace),
    label: textOf(trace.name ?? idOf(trace)),
    color: colorOf(trace),
  }));
  return {
    entries: entries.filter(({ id }, at) => entries.findIndex((one) => one.id === id) === at),
    without: (hidden) =>
      figure.data.map((trace) => (hidden.has(idOf(trace)) ? { ...trace, visible: false } : trace)),
  };
}

const LINE = 20;

/** A drawing as a picture: with its legend at the right, which on screen stands above it. */
export function withLegend(
  drawn: { data: Trace[]; layout: Figure['layout'] },
  legend: Legend | undefined,
): { data: Trace[]; layout: Figure['layout'] } {
  if (!legend) return drawn;
  const { layout } = drawn;
  const keys = legend.entries.map(({ label, color }): Trace => ({
    type: 'scatter',
    mode: 'markers',
    name: plotText(label),
    x: [null],
    y: [null],
    marker: { color, symbol: 'square', size: 10 } as PlotData['marker'],
    showlegend: true,
  }));
  const room = 40 + 7 * Math.max(...legend.entries.map(({ label }) => label.length));
  return {
    data: [...drawn.data.map((trace) => ({ ...trace, showlegend: false })), ...keys],
    layout: {
      ...layout,
      showlegend: true,
      legend: { x: 1.02, xanchor: 'left', y: 1, yanchor: 'top', traceorder: 'normal' },
      width: (layout.width ?? 800) + room,
      height: Math.max(layout.height ?? 400, 40 + LINE * legend.entries.length),
      margin: { ...layout.margin, r: (layout.margin?.r ?? 16) + room },
    },
  };
}
