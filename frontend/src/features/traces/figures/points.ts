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
  return new Map([...found].map(([name, rows]) => [name, best(rows)]));
}

/** Of equally many requests outstanding the fastest: jobs and depths may multiply to the same. */
function best(rows: readonly MeasuredPoint[]): MeasuredPoint[] {
  const kept = new Map<number, MeasuredPoint>();
  for (const row of rows) {
    const before = kept.get(outstanding(row));
    if (!before || before.iops_per_s < row.iops_per_s) kept.set(outstanding(row), row);
  }
  return [...kept.values()].sort((a, b) => outstanding(a) - outstanding(b));
}

const outstanding = (row: MeasuredPoint) => row.queue_depth_count * (row.jobs_count ?? 1);

/** Measured points of a device: requests per second against those outstanding. */
export function pointsFigure(points: MeasuredPoint[], options: TraceFigureOptions): Figure | null {
  if (points.length === 0) return null;
  const groups = [...series(points)].slice(0, designLetters.length);
  const high = Math.max(...points.map((point) => point.iops_per_s));
  const deepest = Math.max(...points.map(outstanding), 2);
  const title = `Up to ${significant(high)} requests/s were measured`;
  const data = groups.map(([name, rows], at): Line => {
    const look = designLook(designLetters[at] ?? 'A', options.theme);
    return {
      type: 'scatter',
      mode: 'lines+markers',
      name,
      x: rows.map(outstanding),
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
      xaxis: { title: { text: 'Requests outstanding, log scale' }, ...decades(1, deepest, String) },
      yaxis: { ...valueAxis('', { low: 0, high }), title: { text: 'Requests per second' } },
    },
    table: {
      columns: [
        { label: 'Job', unit: '' },
        { label: 'Direction', unit: '' },
        { label: 'Block', unit: 'B' },
        { label: 'Queue depth', unit: 'count' },
        { label: 'Jobs', unit: 'count' },
        { label: 'Requests', unit: '1/s' },
        { label: 'Mean latency', unit: 'ms' },
        { label: 'P99 latency', unit: 'ms' },
      ],
      rows: points.map((point) => [
        point.job,
        point.direction,
        point.block_bytes,
        point.queue_depth_count,
        point.jobs_count ?? 1,
        point.iops_per_s,
        point.latency_mean_ms,
        point.p99_ms,
      ]),
    },
  };
}
