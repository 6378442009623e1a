import { valueAxis } from '../../../lib/axis';
import type { Figure } from '../../../lib/figure';
import { percent, quantity } from '../../../lib/format';
import { chartTokens, designLook, palette } from '../../../lib/tokens';
import type { CacheAnswer, CacheSize } from '../cache';
import type { TraceFigureOptions } from './options';

const gb = (value: number) => quantity(value * 1e9, 'B');

function hover(size: CacheSize): string {
  const watts = quantity(Math.abs(size.saved_w), 'W');
  return `<b>${gb(size.cache_gb)}</b><br>${percent(size.read_hit_fraction)} of the reads<br>${
    size.saved_w >= 0 ? `saves ${watts}` : `uses ${watts} more`
  }`;
}

/** Every other size is named, so that names do not meet. */
function ticks(sizes: readonly CacheSize[], most: number): number[] {
  const every = Math.max(1, Math.ceil(sizes.length / most));
  return sizes.map(({ cache_gb }) => cache_gb).filter((_, at) => at % every === 0);
}

/** Share of reads that a cache serves, by its size; the one that holds a day is marked. */
export function hitsFigure(answer: CacheAnswer, { theme, narrow }: TraceFigureOptions): Figure {
  const { sizes, advised } = answer;
  const look = designLook('A', theme);
  const mark = designLook('B', theme).color;
  const all = [...sizes, advised].map(({ cache_gb }) => cache_gb);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const half = sizes.find(
    ({ read_hit_fraction: hit }) => hit > 0 && hit >= advised.read_hit_fraction / 2,
  );
  const title = half
    ? `${gb(half.cache_gb)} serve ${percent(half.read_hit_fraction)} of the reads, ${gb(advised.cache_gb)} ${percent(advised.read_hit_fraction)}`
    : 'No read comes back to data that a cache would hold';
  const tickvals = ticks(sizes, narrow ? 4 : 7);
  const right = Math.log10(advised.cache_gb / low) > Math.log10(high / low) / 2;
  return {
    title,
    summary: `${title}. ${sizes.map((size) => `${gb(size.cache_gb)}: ${percent(size.read_hit_fraction)}`).join('; ')}.`,
    data: [
      {
        type: 'scatter',
        mode: 'lines+markers',
        name: 'Reads served',
        x: sizes.map(({ cache_gb }) => cache_gb),
        y: sizes.map(({ read_hit_fraction }) => read_hit_fraction),
        line: { color: look.color, width: chartTokens.line_px },
        marker: { size: 6, color: look.color },
        hovertext: sizes.map(hover),
        hoverinfo: 'text',
        cliponaxis: false,
      },
      {
        type: 'scatter',
        mode: 'text+markers',
        name: 'Holds a day',
        x: [advised.cache_gb],
        y: [advised.read_hit_fraction],
        marker: { size: 12, symbol: 'diamond', color: mark },
        text: [answer.covered_days_count < 1 ? 'holds all of it' : 'holds a day'],
        textposition: right ? 'top left' : 'bottom right',
        textfont: { size: 12, color: palette[theme].text },
        hovertext: [hover(advised)],
        hoverinfo: 'text',
        cliponaxis: false,
      },
    ],
    layout: {
      margin: { l: 48, r: 24, t: 16, b: 48 },
      xaxis: {
        type: 'log',
        range: [Math.log10(low) - 0.08, Math.log10(high) + 0.08],
        tickmode: 'array',
        tickvals,
        ticktext: tickvals.map(gb),
        tickangle: 0,
        title: { text: 'Size of the cache, log scale' },
      },
      yaxis: {
        ...valueAxis('fraction', {
          low: 0,
          high: Math.max(0.1, ...sizes.map(({ read_hit_fraction }) => read_hit_fraction)),
          room: [0, 0.08],
        }),
        title: { text: 'Reads served' },
      },
    },
    table: {
      columns: [
        { label: 'Cache', unit: 'GB' },
        { label: 'Reads served', unit: 'fraction' },
        { label: 'Saves', unit: 'W' },
        { label: 'Mean read', unit: 'ms' },
        { label: 'Written', unit: 'TB/yr' },
        { label: 'Rated writes last', unit: 'yr' },
        { label: 'Saved less cost', unit: 'USD' },
      ],
      rows: sizes.map((size) => [
        size.cache_gb,
        size.read_hit_fraction,
        size.saved_w,
        size.read_response_ms,
        size.written_tb_per_year,
        size.wear_years,
        size.net_usd,
      ]),
    },
  };
}
