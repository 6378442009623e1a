import type * as PlotlyModule from 'plotly.js';
import type { Config, Data, Layout, PlotlyHTMLElement } from 'plotly.js';
import { useEffect, useRef, useState } from 'react';
import { withTemplate } from '../lib/chart-template';
import type { Figure, Legend, Trace } from '../lib/figure';
import { withLegend } from '../lib/legend';
import { useMedia } from '../lib/media';
import { withShares } from '../lib/segments';
import { useTheme } from '../lib/theme';
import { useWidth } from './use-width';

type Plotly = typeof PlotlyModule;

let loading: Promise<Plotly> | null = null;

/** Fetch Plotly once, when the first chart comes. */
export function loadPlotly(): Promise<Plotly> {
  loading ??= import('plotly.js-cartesian-dist-min').then(
    (module) => module.default,
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

const CONFIG: Partial<Config> = { displayModeBar: false, responsive: false, doubleClick: 'reset' };
type Ranged = 'xaxis' | 'yaxis';

function heldAxes(layout: Partial<Layout>, drawn: Partial<Layout>): Partial<Layout> {
  const hold = (name: Ranged) => ({
    ...layout[name],
    range: drawn[name]?.range ? [...drawn[name].range] : layout[name]?.range,
    autorange: false as const,
  });
  return { ...layout, xaxis: hold('xaxis'), yaxis: hold('yaxis') };
}

export interface PlotlyFigureProps {
  figure: Figure;
  height: number;
  /** Draw at once, rather than when the browser has time. */
  inView: boolean;
  /** Keep the axes where they are, while a slider is held. */
  held?: boolean;
  /** Counts the answers shown; written to the element once that answer is drawn. */
  revision?: number;
  onElement?: (element: PlotlyHTMLElement | null) => void;
  onError?: (error: unknown) => void;
}

/** Marks of an axis that stand where the figure put them, or anew where one has zoomed in. */
function marksOf(figure: Figure, zoomed: boolean): Partial<Layout> {
  const { tickvals, ticktext } = figure.layout.xaxis ?? {};
  if (!tickvals) return {};
  if (!zoomed) return { 'xaxis.tickmode': 'array' } as Partial<Layout>;
  const share = ticktext?.some((text) => String(text).endsWith('%'));
  const marks = { 'xaxis.tickmode': 'auto', 'xaxis.nticks': 6 };
  return { ...marks, 'xaxis.tickformat': share ? '.0%' : '~s' } as Partial<Layout>;
}

/** Keeps the marks of the axis in step with what is zoomed into. */
function followZoom(element: PlotlyHTMLElement, figure: Figure, plotly: Plotly): void {
  element.removeAllListeners('plotly_relayout');
  element.on('plotly_relayout', (change) => {
    const from = change['xaxis.range[0]'];
    if (from === undefined) return;
    const [low, high] = figure.layout.xaxis?.range ?? [];
    const isWhole = from === low && change['xaxis.range[1]'] === high;
    void plotly.relayout(element, marksOf(figure, !isWhole));
  });
}

/** Draws a figure with Plotly, which is fetched when the first one comes. */
export function PlotlyFigure(props: PlotlyFigureProps) {
  const { figure, height, inView, held = false, revision = 0, onElement, onError } = props;
  const theme = useTheme();
  const ref = useRef<HTMLDivElement>(null);
  const width = useWidth(ref);
  // A finger that is drawn over a chart scrolls the page.
  const zoom = useMedia('(pointer: fine)');
  const [plotly, setPlotly] = useState<Plotly | null>(null);

  useEffect(() => {
    let wanted = true;
    loadPlotly().then(
      (loaded) => wanted && setPlotly(() => loaded),
      (error: unknown) => wanted && onError?.(error),
    );
    return () => {
      wanted = false;
    };
  }, [onError]);

  useEffect(() => {
    const node = ref.current;
    // Out of view it rests while a slider is held.
    if (!plotly || !node || width === 0 || (held && !inView)) return;
    const draw = () => {
      const element = node as unknown as PlotlyHTMLElement;
      const sized = { ...figure.layout, width, height, autosize: false };
      const own = withTemplate(sized, theme, { data: figure.data, zoom });
      const layout = held && element.layout ? heldAxes(own, element.layout) : own;
      void plotly.react(node, withShares(figure) as Data[], layout, CONFIG).then(
        () => {
          node.dataset.revision = String(revision);
          followZoom(element, figure, plotly);
          onElement?.(element);
        },
        // A drawing that was taken away before it was done breaks off; nobody waits for it.
        (error: unknown) => node.isConnected && onError?.(error),
      );
    };
    if (inView) {
      draw();
      return;
    }
    const handle = requestIdleCallback(draw, { timeout: 2000 });
    return () => cancelIdleCallback(handle);
  }, [plotly, figure, theme, zoom, width, height, held, inView, revision, onElement, onError]);

  useEffect(() => {
    const node = ref.current;
    return () => {
      if (node && loading) void loading.then((loaded) => loaded.purge(node));
    };
  }, []);

  return <div ref={ref} style={{ height }} data-in-view={inView} data-chart="" />;
}

export type ImageKind = 'png' | 'svg';

/** The chart as a picture, at twice the size on screen for PNG. */
export async function chartImage(
  element: PlotlyHTMLElement,
  format: ImageKind,
  legend: Legend | undefined,
): Promise<string> {
  const plotly = await loadPlotly();
  const drawn = { data: element.data as Trace[], layout: element.layout };
  const { data, layout } = withLegend(drawn, legend);
  const { width = 800, height = 400 } = layout;
  const scale = format === 'png' ? 2 : 1;
  return plotly.toImage({ data: data as Data[], layout }, { format, width, height, scale });
}
