import { valueAxis } from '../../../lib/axis';
import type { Figure, Trace } from '../../../lib/figure';
import { percent, quantity, significant } from '../../../lib/format';
import { chartTokens, designLook, type Theme } from '../../../lib/tokens';
import { POLICY_NAMES, type Causes, type CoresAnswer, type MemoryAnswer } from './memory';
import { sampled } from '../frame/figures';

const PIECES: readonly { key: keyof Causes; label: string }[] = [
  { key: 'standby_w', label: 'Standby' },
  { key: 'powerdown_w', label: 'Power-down' },
  { key: 'self_refresh_w', label: 'Self-refresh' },
  { key: 'refresh_w', label: 'Refresh' },
  { key: 'register_w', label: 'Registers' },
  { key: 'traffic_w', label: 'Traffic' },
];

interface Options {
  theme: Theme;
  narrow: boolean;
}

/** Average power of one server's memory under each policy, by cause. */
export function memoryPower(answer: MemoryAnswer, { theme, narrow }: Options): Figure | null {
  const rows = answer.policies.flatMap(({ policy, causes }) =>
    causes === null ? [] : [{ name: POLICY_NAMES[policy], causes }],
  );
  const total = (causes: Causes) => PIECES.reduce((sum, { key }) => sum + causes[key], 0);
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return null;
  const colors = sampled(PIECES.length, theme);
  const totals = rows.map(({ causes }) => total(causes));
  const title = `A server's memory: ${quantity(totals[0], 'W')} always ready, ${quantity(totals.at(-1), 'W')} with modules left out`;
  return {
    title,
    summary: `${title}. ${rows.map(({ name }, at) => `${name}: ${quantity(totals[at], 'W')}`).join('; ')}.`,
    data: PIECES.map(({ key, label }, at): Trace => ({
      type: 'bar',
      orientation: 'h',
      name: label,
      y: rows.map((_, place) => place),
      x: rows.map(({ causes }) => causes[key]),
      marker: { color: colors[at] },
      hovertext: rows.map(
        ({ name, causes }) => `<b>${name}</b><br>${label}: ${significant(causes[key])} W`,
      ),
      hoverinfo: 'text',
    })),
    layout: {
      barmode: 'stack',
      margin: { l: narrow ? 96 : 168, r: 16, t: narrow ? 76 : 36, b: 36 },
      showlegend: true,
      legend: { orientation: 'h', x: 0, y: 1.02, yanchor: 'bottom', traceorder: 'normal' },
      xaxis: { ...valueAxis('W', { low: 0, high: Math.max(...totals) }), showgrid: true },
      yaxis: {
        tickmode: 'array',
        tickvals: rows.map((_, at) => at),
        ticktext: rows.map(({ name }) => (narrow ? name.replace(' ', '<br>') : name)),
        range: [rows.length - 0.4, -0.6],
        showgrid: false,
      },
    },
    table: {
      columns: [
        { label: 'Policy', unit: '' },
        ...PIECES.map(({ label }) => ({ label, unit: 'W' })),
      ],
      rows: rows.map(({ name, causes }) => [name, ...PIECES.map(({ key }) => causes[key])]),
    },
  };
}

/** Share of ranks that stay awake when the system wakes those of the running processes only. */
export function coresAwake(cores: readonly CoresAnswer[], { theme }: Options): Figure | null {
  const last = cores.at(-1);
  if (!last) return null;
  const { color } = designLook('A', theme);
  const title = `With ${last.cores_count} cores ${percent(last.awake_ranks_fraction)} of the ranks stay awake`;
  return {
    title,
    summary: `${title}. ${cores.map((point) => `${point.cores_count}: ${percent(point.awake_ranks_fraction)}`).join('; ')}.`,
    data: [
      {
        type: 'scatter',
        mode: 'lines+markers',
        name: 'Awake',
        x: cores.map((point) => point.cores_count),
        y: cores.map((point) => point.awake_ranks_fraction),
        line: { color, width: chartTokens.line_px },
        marker: { size: 8, color },
        hovertext: cores.map(
          (point) =>
            `<b>${point.cores_count} cores</b><br>${percent(point.awake_ranks_fraction)} awake` +
            (point.saving_w === null ? '' : `<br>saves ${quantity(point.saving_w, 'W')} a server`),
        ),
        hoverinfo: 'text',
        cliponaxis: false,
      },
    ],
    layout: {
      margin: { l: 56, r: 20, t: 12, b: 48 },
      xaxis: {
        type: 'log',
        tickmode: 'array',
        tickvals: cores.map((point) => point.cores_count),
        ticktext: cores.map((point) => String(point.cores_count)),
        title: { text: 'Cores, each running a process' },
      },
      yaxis: {
        ...valueAxis('fraction', { low: 0, high: 1 }),
        title: { text: 'Ranks awake' },
      },
    },
    table: {
      columns: [
        { label: 'Cores', unit: 'count' },
        { label: 'Ranks awake', unit: 'fraction' },
        { label: 'Saving of a server', unit: 'W' },
      ],
      rows: cores.map((point) => [point.cores_count, point.awake_ranks_fraction, point.saving_w]),
    },
  };
}
