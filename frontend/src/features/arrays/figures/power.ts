import { valueAxis } from '../../../lib/axis';
import type { Figure, Trace } from '../../../lib/figure';
import { quantity } from '../../../lib/format';
import type { Answered, PowerPiece, StateName } from '../result';
import { nameOf, type ArrayOptions } from './options';
import { causeFill, causeName } from './states';

const STATES: readonly StateName[] = [
  'standby',
  'low_power_idle',
  'idle',
  'seek',
  'active',
  'transition',
];

function wattsOf(piece: PowerPiece, state: StateName): number {
  return piece[`${state}_w`];
}

interface TimeScale {
  unit: string;
  seconds: number;
}

function scaleOf(duration: number): TimeScale {
  if (duration > 2 * 86_400) return { unit: 'days', seconds: 86_400 };
  if (duration > 2 * 3600) return { unit: 'hours', seconds: 3600 };
  return duration > 240 ? { unit: 'minutes', seconds: 60 } : { unit: 's', seconds: 1 };
}

/** Each piece as a step: its power holds from its start to its end. */
function layer(pieces: readonly PowerPiece[], state: StateName, options: Layer): Trace {
  const { scale, theme } = options;
  const color = causeFill(state, theme);
  return {
    type: 'scatter',
    mode: 'lines',
    name: causeName(state),
    x: pieces.flatMap((piece) => [piece.start_s / scale.seconds, piece.end_s / scale.seconds]),
    y: pieces.flatMap((piece) => [wattsOf(piece, state), wattsOf(piece, state)]),
    stackgroup: 'states',
    fillcolor: color,
    line: { width: 0, color },
    text: pieces.flatMap((piece) => {
      const watts = quantity(wattsOf(piece, state), 'W');
      return [watts, watts];
    }),
    hovertemplate: `${causeName(state)}: %{text}<extra></extra>`,
  };
}

interface Layer extends ArrayOptions {
  scale: TimeScale;
}

/** Power of one array over time, stacked by what the drives were doing. */
export function powerOverTime(row: Answered | undefined, options: ArrayOptions): Figure | null {
  const pieces = row?.result.power_over_time ?? [];
  const last = pieces.at(-1);
  if (!row || !last) return null;
  const scale = scaleOf(last.end_s);
  const used = STATES.filter((state) => pieces.some((piece) => wattsOf(piece, state) > 0));
  const powers = pieces.map((piece) => piece.power_w);
  const [low, high] = [Math.min(...powers), Math.max(...powers)];
  const mean = quantity(row.result.power_w, 'W');
  const spread = `${quantity(low, 'W')} to ${quantity(high, 'W')}`;
  const title = `${row.letter} draws ${mean} on average, ${spread}; ${row.result.wear}`;
  return {
    title,
    summary: `${title}, over ${quantity(last.end_s / scale.seconds, scale.unit)}.`,
    data: used.map((state) => layer(pieces, state, { ...options, scale })),
    layout: {
      margin: { l: 60, r: 16, t: 12, b: 42 },
      showlegend: true,
      xaxis: { title: { text: `Time, ${scale.unit}` }, range: [0, last.end_s / scale.seconds] },
      yaxis: valueAxis('W', { low: 0, high }),
    },
    table: {
      columns: [
        { label: 'From', unit: 's' },
        { label: 'To', unit: 's' },
        { label: `${nameOf(row)}: power`, unit: 'W' },
        ...used.map((state) => ({ label: causeName(state), unit: 'W' })),
      ],
      rows: pieces.map((piece) => [
        piece.start_s,
        piece.end_s,
        piece.power_w,
        ...used.map((state) => wattsOf(piece, state)),
      ]),
    },
  };
}
