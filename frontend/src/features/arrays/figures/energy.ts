import { valueAxis } from '../../../lib/axis';
import type { Figure, Trace } from '../../../lib/figure';
import { percent, quantity } from '../../../lib/format';
import { palette } from '../../../lib/tokens';
import type { Answered, Cause, StateName } from '../result';
import { nameOf, plotText, short, type ArrayOptions } from './options';
import { causeFill, causeName, CAUSES, pieceEdge } from './states';

const HOURS_PER_YEAR = 8760;

/** Mean power that goes to one cause. [W] */
export function causeW({ result }: Answered, cause: Cause): number {
  const joules = result.energy_by_cause.find((share) => share.cause === cause)?.energy_j ?? 0;
  return result.duration_s > 0 ? joules / result.duration_s : 0;
}

function rowAxis(labels: readonly string[], shown: (at: number) => boolean = () => true) {
  const named = labels.flatMap((label, at) => (shown(at) ? [{ label, at }] : []));
  return {
    range: [labels.length - 0.5, -0.5],
    tickmode: 'array' as const,
    tickvals: named.map(({ at }) => at),
    ticktext: named.map(({ label }) => label),
    showgrid: false,
  };
}

function yearly(watts: number): string {
  return `${quantity((watts * HOURS_PER_YEAR) / 1000, 'kWh')}/yr`;
}

function bar(cause: Cause, rows: readonly Answered[], { theme }: ArrayOptions): Trace {
  const watts = rows.map((row) => causeW(row, cause));
  return {
    type: 'bar',
    orientation: 'h',
    name: causeName(cause),
    y: rows.map((_, at) => at),
    x: watts,
    marker: { color: causeFill(cause, theme), line: pieceEdge(theme) },
    hovertext: rows.map((row, at) => {
      const share = percent((watts[at] ?? 0) / (row.result.power_w || 1));
      return `<b>${plotText(nameOf(row))}</b><br>${causeName(cause)}: ${quantity(watts[at], 'W')}, ${share}<br>${yearly(watts[at] ?? 0)}`;
    }),
    hoverinfo: 'text',
  };
}

function totals(rows: readonly Answered[], { theme }: ArrayOptions): Trace {
  return {
    type: 'scatter',
    mode: 'text',
    name: 'Totals',
    showlegend: false,
    x: rows.map((row) => row.result.power_w),
    y: rows.map((_, at) => at),
    text: rows.map((row) => `  ${quantity(row.result.power_w, 'W')}, ${row.result.wear_short}`),
    textposition: 'middle right',
    textfont: { size: 12, color: palette[theme].text },
    cliponaxis: false,
    hoverinfo: 'skip',
  };
}

function largest(row: Answered): Cause {
  return CAUSES.reduce((best, cause) => (causeW(row, cause) > causeW(row, best) ? cause : best));
}

/** Mean power by cause, a bar per array: where the energy goes. */
export function energyByCause(rows: readonly Answered[], options: ArrayOptions): Figure | null {
  const [first] = rows;
  if (!first) return null;
  const used = CAUSES.filter((cause) => rows.some((row) => causeW(row, cause) > 0));
  const top = rows.reduce((most, row) => (row.result.power_w > most.result.power_w ? row : most));
  const cause = largest(top);
  const share = percent(causeW(top, cause) / (top.result.power_w || 1));
  const title = `${top.letter} spends ${share} of its energy ${SPENT[cause]}`;
  const high = Math.max(...rows.map((row) => row.result.power_w));
  const lines = rows.map(
    (row) => `${nameOf(row)}: ${quantity(row.result.power_w, 'W')}, ${row.result.wear}`,
  );
  return {
    title,
    summary: `${title}. Mean power: ${lines.join('; ')}.`,
    data: [...used.map((cause) => bar(cause, rows, options)), totals(rows, options)],
    layout: {
      barmode: 'stack',
      margin: { l: options.narrow ? 32 : 150, r: 64, t: 12, b: 42 },
      showlegend: true,
      xaxis: {
        title: { text: 'Mean power' },
        showgrid: true,
        ...valueAxis('W', { low: 0, high, count: 3 }),
        tickangle: 0,
        // Room for the words that stand beside the longest bar.
        range: [0, high * (options.narrow ? 2.1 : 1.7)],
      },
      yaxis: rowAxis(rows.map((row) => (options.narrow ? row.letter : short(nameOf(row), 22)))),
    },
    table: {
      columns: [
        { label: 'Cause', unit: '' },
        ...rows.map((row) => ({ label: nameOf(row), unit: 'W' })),
      ],
      rows: [
        ...used.map((cause) => [causeName(cause), ...rows.map((row) => causeW(row, cause))]),
        ['All', ...rows.map((row) => row.result.power_w)],
      ],
    },
  };
}

const SPENT: Record<Cause, string> = {
  active: 'serving requests',
  seek: 'seeking',
  idle: 'idle',
  low_power_idle: 'in low-power idle',
  standby: 'in standby',
  transition: 'going between states',
  solid_state_cache: 'in the cache',
};

const STATES = CAUSES.filter((cause): cause is StateName => cause !== 'solid_state_cache');

/** Of more, every fifth is named. */
export const MANY_DISKS = 30;

interface DiskRow {
  /** Its number in its array. */
  place: number;
  label: string;
  full: string;
  device: Answered['result']['devices'][number];
}

function diskRows(rows: readonly Answered[]): DiskRow[] {
  return rows.flatMap((row) =>
    row.result.devices.map((device, place) => ({
      place,
      label: `${row.letter}  ${device.name}`,
      full: `${nameOf(row)}: ${device.name}`,
      device,
    })),
  );
}

/** Every fifth disk, unless the one above is named. */
function isNamed(disks: readonly DiskRow[], at: number): boolean {
  const fifth = (place: number) => (disks[place]?.place ?? 1) % 5 === 0;
  return fifth(at) && !(at > 0 && isNamed(disks, at - 1));
}

/** Share of the time that each disk spent in each state. */
export function timeInState(rows: readonly Answered[], options: ArrayOptions): Figure | null {
  const disks = diskRows(rows);
  if (disks.length === 0) return null;
  const share = (row: DiskRow, state: StateName) =>
    row.device.states.find((use) => use.state === state)?.time_fraction ?? 0;
  const used = STATES.filter((state) => disks.some((row) => share(row, state) > 0));
  const asleep = disks.filter((row) => share(row, 'standby') + share(row, 'low_power_idle') > 0.5);
  const title =
    asleep.length === 0
      ? 'No drive sleeps for most of the time'
      : `${asleep.length} of ${disks.length} drives ${asleep.length === 1 ? 'sleeps' : 'sleep'} for most of the time`;
  return {
    title,
    summary: `${title}.`,
    data: used.map((state) => ({
      type: 'bar' as const,
      orientation: 'h' as const,
      name: causeName(state),
      y: disks.map((_, at) => at),
      x: disks.map((row) => share(row, state)),
      marker: { color: causeFill(state, options.theme), line: pieceEdge(options.theme) },
      hovertext: disks.map(
        (row) =>
          `<b>${plotText(row.full)}</b><br>${causeName(state)}: ${percent(share(row, state))}<br>woke ${row.device.spin_ups_count.toLocaleString('en-GB')} times from standby`,
      ),
      hoverinfo: 'text' as const,
    })),
    layout: {
      barmode: 'stack',
      bargap: disks.length > MANY_DISKS ? 0 : disks.length > 16 ? 0.08 : 0.3,
      margin: { l: 72, r: 24, t: 12, b: 42 },
      showlegend: true,
      xaxis: {
        title: { text: 'Share of the time' },
        range: [0, 1],
        tickmode: 'array',
        tickvals: [0, 0.25, 0.5, 0.75, 1],
        ticktext: ['0%', '25%', '50%', '75%', '100%'],
        showgrid: true,
      },
      yaxis: rowAxis(
        disks.map((row) => row.label),
        (at) => disks.length <= MANY_DISKS || isNamed(disks, at),
      ),
    },
    table: {
      columns: [
        { label: 'Drive', unit: '' },
        ...used.map((state) => ({ label: causeName(state), unit: 'fraction' })),
        { label: 'Wakes from standby', unit: 'count' },
        { label: 'Wakes from low-power idle', unit: 'count' },
        { label: 'Longest queue', unit: 'count' },
        { label: 'Mean power', unit: 'W' },
        { label: 'Reads', unit: 'count' },
        { label: 'Writes', unit: 'count' },
      ],
      rows: disks.map((row) => [
        row.full,
        ...used.map((state) => share(row, state)),
        row.device.spin_ups_count,
        row.device.low_power_wakes_count,
        row.device.max_queue_count,
        row.device.power_w,
        row.device.reads_count,
        row.device.writes_count,
      ]),
    },
  };
}
