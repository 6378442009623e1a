import { spread, valueAxis } from '../../../lib/axis';
import type { Figure, Trace } from '../../../lib/figure';
import { counted, quantity } from '../../../lib/format';
import { chartTokens, designLook, designLetters, palette, type Theme } from '../../../lib/tokens';
import { cumulated, type Day, type Replay } from './replay';

interface Options {
  theme: Theme;
  narrow: boolean;
  /** The policy that the answer speaks of. */
  chosen: string | undefined;
}

const look = (at: number, theme: Theme) =>
  designLook(designLetters[at % designLetters.length] ?? 'A', theme);

function line(day: Day, at: number, y: number[], texts: string[], options: Options): Trace {
  const { color, dashPx } = look(at, options.theme);
  return {
    type: 'scatter',
    mode: 'lines',
    name: day.policy,
    x: day.series.map((point) => point.at_h),
    y,
    text: texts,
    line: {
      color,
      width: day.policy === options.chosen ? chartTokens.line_px + 1 : chartTokens.line_px,
      dash: (dashPx.map((px) => `${px}px`).join(',') || 'solid') as 'solid',
    },
    hovertemplate: `<b>${day.policy}</b><br>%{x:.1f} h: %{text}<extra></extra>`,
  };
}

function ends(
  days: readonly Day[],
  all: readonly Day[],
  values: number[],
  gap: number,
  theme: Theme,
) {
  return {
    type: 'scatter',
    mode: 'text',
    name: 'Policies',
    x: days.map((day) => day.series.at(-1)?.at_h ?? 0),
    y: spread(values, gap),
    text: days.map((day) => `  ${day.policy}`),
    textposition: 'middle right',
    textfont: { size: 12, color: days.map((day) => look(all.indexOf(day), theme).color) },
    cliponaxis: false,
    hoverinfo: 'skip',
  } satisfies Trace;
}

function timeAxis(replay: Replay) {
  const every =
    [1, 2, 3, 4, 6, 12, 24, 48, 168].find((step) => replay.duration_h / step <= 9) ?? 720;
  return {
    title: { text: 'Hours' },
    range: [0, replay.duration_h],
    tickmode: 'linear' as const,
    tick0: 0,
    dtick: every,
  };
}

/** Hosts on over time, one line for each policy that says them. */
export function hostsOn(replay: Replay, options: Options): Figure | null {
  const days = replay.days.filter((day) => day.series.length > 0);
  if (days.length === 0) return null;
  const high = Math.max(...days.map((day) => day.hosts_on_most_count));
  const chosen = days.find((day) => day.policy === options.chosen);
  const title = chosen
    ? `${chosen.policy} needs at most ${chosen.hosts_on_most_count} of ${replay.hosts_count} hosts after the first hour`
    : 'Hosts on over time';
  return {
    title,
    summary: `${title}. ${days.map((day) => `${day.policy}: at most ${day.hosts_on_most_count} on`).join('; ')}.`,
    data: [
      ...days.map((day) =>
        line(
          day,
          replay.days.indexOf(day),
          day.series.map((point) => point.hosts_on_count),
          day.series.map(
            (point) => `${point.hosts_on_count} on, ${counted(point.migrations_count, 'move')}`,
          ),
          options,
        ),
      ),
      ends(
        days,
        replay.days,
        days.map((day) => day.series.at(-1)?.hosts_on_count ?? 0),
        high * 0.065,
        options.theme,
      ),
    ],
    layout: {
      margin: { l: 52, r: options.narrow ? 96 : 116, t: 8, b: 44 },
      xaxis: timeAxis(replay),
      yaxis: {
        ...valueAxis('count', { low: 0, high, room: [0, 0.08] }),
        title: { text: 'Hosts on' },
      },
    },
    table: overTime(days, (day) => day.series.map((point) => point.hosts_on_count), 'count'),
  };
}

function overTime(
  days: readonly Day[],
  values: (day: Day) => number[],
  unit: string,
): Figure['table'] {
  const held = days.map(values);
  return {
    columns: [{ label: 'Time', unit: 'h' }, ...days.map((day) => ({ label: day.policy, unit }))],
    rows: (days[0]?.series ?? []).map((point, at) => [
      Number(point.at_h.toFixed(4)),
      ...held.map((line) => line[at] ?? null),
    ]),
  };
}

/** Energy since the start, one line for each policy. */
export function energyOver(replay: Replay, options: Options): Figure | null {
  const days = replay.days.filter((day) => day.series.length > 0);
  if (days.length === 0) return null;
  const lines = days.map(cumulated);
  const high = Math.max(...lines.map((values) => values.at(-1) ?? 0));
  const least = days.reduce((low, day) => (day.energy_kwh < low.energy_kwh ? day : low));
  const title = `${least.policy} takes least energy: ${quantity(least.energy_kwh, 'kWh')}`;
  return {
    title,
    summary: `${title}. ${replay.days.map((day) => `${day.policy}: ${quantity(day.energy_kwh, 'kWh')}`).join('; ')}.`,
    data: [
      ...days.map((day, at) =>
        line(
          day,
          replay.days.indexOf(day),
          lines[at] ?? [],
          (lines[at] ?? []).map((value) => quantity(value, 'kWh')),
          options,
        ),
      ),
      ends(
        days,
        replay.days,
        lines.map((values) => values.at(-1) ?? 0),
        high * 0.065,
        options.theme,
      ),
    ],
    layout: {
      margin: { l: 88, r: options.narrow ? 96 : 116, t: 8, b: 44 },
      xaxis: timeAxis(replay),
      yaxis: { ...valueAxis('kWh', { low: 0, high }), title: { text: 'Energy since the start' } },
    },
    table: overTime(days, cumulated, 'kWh'),
  };
}

/** Energy against broken service: the nearer to the corner, the better. */
export function serviceByEnergy(replay: Replay, options: Options): Figure | null {
  const days = replay.days.filter((day) => day.policy !== 'NPA');
  if (days.length < 2) return null;
  const highX = Math.max(...days.map((day) => day.energy_kwh));
  const highY = Math.max(...days.map((day) => day.slatah_fraction), 1e-6);
  const title = 'Less energy is paid for with time in which servers are short';
  return {
    title,
    summary: `${title}. ${days.map((day) => `${day.policy}: ${quantity(day.energy_kwh, 'kWh')}, short ${quantity(day.slatah_fraction, 'fraction')} of the time`).join('; ')}.`,
    data: [
      {
        type: 'scatter',
        mode: 'text+markers',
        name: 'Policies',
        x: days.map((day) => day.energy_kwh),
        y: days.map((day) => day.slatah_fraction),
        text: days.map((day) => ` ${day.policy}`),
        textposition: days.map((day) =>
          day.energy_kwh > highX * 0.7 ? 'middle left' : 'middle right',
        ),
        textfont: { size: 12, color: palette[options.theme].text },
        marker: {
          size: 11,
          color: days.map((day) => look(replay.days.indexOf(day), options.theme).color),
        },
        hovertext: days.map(
          (day) =>
            `<b>${day.policy}</b><br>${quantity(day.energy_kwh, 'kWh')}<br>short in ${quantity(day.slatah_fraction, 'fraction')} of the time`,
        ),
        hoverinfo: 'text',
        cliponaxis: false,
      },
    ],
    layout: {
      margin: { l: 60, r: 24, t: 12, b: 48 },
      xaxis: {
        ...valueAxis('kWh', { low: 0, high: highX, room: [0, 0.1] }),
        showgrid: true,
        title: { text: 'Energy' },
      },
      yaxis: {
        ...valueAxis('fraction', { low: 0, high: highY, room: [0.04, 0.12] }),
        title: { text: 'Time in which servers are short (SLATAH)' },
      },
    },
    table: {
      columns: [
        { label: 'Policy', unit: '' },
        { label: 'Energy', unit: 'kWh' },
        { label: 'Most servers on', unit: 'count' },
        { label: 'Hosts on, mean', unit: 'count' },
        { label: 'Moves', unit: 'count' },
        { label: 'SLATAH', unit: 'fraction' },
        { label: 'PDM', unit: 'fraction' },
        { label: 'SLAV', unit: 'fraction' },
        { label: 'ESV', unit: 'kWh' },
      ],
      rows: replay.days.map((day) => [
        day.policy,
        day.energy_kwh,
        day.hosts_on_most_count,
        day.hosts_on_mean_count,
        day.migrations_count,
        day.slatah_fraction,
        day.pdm_fraction,
        day.slav_fraction,
        day.esv_kwh,
      ]),
    },
  };
}
