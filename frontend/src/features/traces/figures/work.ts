import { valueAxis } from '../../../lib/axis';
import type { Figure } from '../../../lib/figure';
import { quantity, significant } from '../../../lib/format';
import { chartTokens, designLook } from '../../../lib/tokens';
import type { TraceWork } from '../../../lib/trace-work';
import type { TraceFigureOptions } from './options';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const DAY_H = 24;

function hourName(at: number, isWeek: boolean): string {
  const hour = `${String(at % DAY_H).padStart(2, '0')}:00`;
  return isWeek ? `${DAYS[Math.floor(at / DAY_H)]}, ${hour}` : hour;
}

/** Busy cores by hour of the week, or of the day. */
export function workFigure(found: TraceWork, options: TraceFigureOptions): Figure | null {
  if (found.shape === 'flat') return null;
  const isWeek = found.shape === 'hour_of_week';
  const y = found.shape_ratio.map((ratio) => ratio * found.busy_cores_mean_count);
  const highest = Math.max(...y);
  const name = hourName(y.indexOf(highest), isWeek);
  const title = `The busiest hour of the ${isWeek ? 'week' : 'day'} is ${name}: ${quantity(highest, 'cores')} busy on average`;
  const ticks = isWeek ? DAYS.map((_, day) => day * DAY_H) : [0, 6, 12, 18];
  return {
    title,
    summary: `${title}, ${significant(Math.max(...found.shape_ratio))} times the mean.`,
    data: [
      {
        type: 'scatter',
        mode: 'lines',
        name: 'Busy cores',
        x: y.map((_, at) => at),
        y,
        line: {
          color: designLook('A', options.theme).color,
          width: chartTokens.line_px,
          shape: 'hv',
        },
        text: y.map((value, at) => `${hourName(at, isWeek)}: ${quantity(value, 'cores')}`),
        hovertemplate: '%{text}<extra></extra>',
      },
    ],
    layout: {
      margin: { l: 60, r: 16, t: 8, b: 44 },
      xaxis: {
        title: { text: isWeek ? 'Hour of the week (UTC)' : 'Hour of the day (UTC)' },
        tickmode: 'array',
        tickvals: ticks,
        ticktext: ticks.map((at) =>
          isWeek ? (DAYS[at / DAY_H]?.slice(0, options.narrow ? 2 : 3) ?? '') : hourName(at, false),
        ),
      },
      yaxis: { ...valueAxis('count', { low: 0, high: highest }), title: { text: 'Busy cores' } },
    },
    table: {
      columns: [
        { label: 'Hour', unit: 'count' },
        { label: 'Busy cores', unit: 'count' },
      ],
      rows: y.map((value, at) => [at, value]),
    },
  };
}
