import { valueAxis } from '../../../lib/axis';
import type { Figure, Trace as Line } from '../../../lib/figure';
import { quantity, significant } from '../../../lib/format';
import { chartTokens, designLetters, designLook } from '../../../lib/tokens';
import type { MeasuredPoint } from '../charts';
import { bytes, decades, type TraceFigureOptions } from './options';

function series(points: MeasuredPoint[]): Map<string, MeasuredPoint[]> {
  const found = new Map<string, MeasuredPoint[]>();
  for (const point of points) {
    const key = `${point.direction}, ${bytes(point.block_bytes)}`;
    found.set(key, [...(found.get(key) ?? []), point]);
  }
  for (const rows of found.values()) rows.sort((a, b) => a.queue_depth_count - b.queue_depth_count);
  return found;
}

/** Measured points of a device: requests per second against queue depth. */
export function pointsFigure(points: MeasuredPoint[], options: TraceFigureOptions): Figure | null {
  if (points.length === 0) return null;
  const groups = [...series(points)].slice(0, designLetters.length);
  const high = Math.max(...points.map((point) => point.iops_per_s));
  const deepest = Math.max(...points.map((point) => point.queue_depth_count), 2);
  const title = `Up to ${significant(high)} requests/s were measured`;
  const data = groups.map(([name, rows], at): Line => {
    const look = designLook(designLetters[at] ?? 'A', options.theme);
    return {
      type: 'scatter',
      mode: 'lines+markers',
      name,
      x: rows.map((row) => row.queue_depth_count),
      y: rows.map((row) => row.iops_per_s),
      line: { color: look.color, width: chartTokens.line_px },
      marker: { color: look.color, symbol: look.marker, size: 8 },
      text: rows.map(
        (row) =>
          `${row.job || name}: ${significant(row.iops_per_s)}/s, ${quantity(row.latency_mean_ms, 'ms')} on average`,
      ),
      hovertemplate: '%{text}<extra></extra>',
    };
  });
  return {
    title,
    summary: `${title}.`,
    data,
    layout: {
      margin: { l: 64, r: 16, t: 24, b: 44 },
      showlegend: true,
      legend: { orientation: 'h', x: 1, xanchor: 'right', y: 1.12 },
      xaxis: { title: { text: 'Queue depth, log scale' }, ...decades(1, deepest, String) },
      yaxis: { ...valueAxis('', { low: 0, high }), title: { text: 'Requests per second' } },
    },
    table: {
      columns: [
        { label: 'Job', unit: '' },
        { label: 'Direction', unit: '' },
        { label: 'Block', unit: 'B' },
        { label: 'Queue depth', unit: 'count' },
        { label: 'Requests', unit: '1/s' },
        { label: 'Mean latency', unit: 'ms' },
        { label: 'P99 latency', unit: 'ms' },
      ],
      rows: points.map((point) => [
        point.job,
        point.direction,
        point.block_bytes,
        point.queue_depth_count,
        point.iops_per_s,
        point.latency_mean_ms,
        point.p99_ms,
      ]),
    },
  };
}
