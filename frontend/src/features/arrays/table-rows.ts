import { quantity, range, spanText } from '../../lib/format';
import { loadText, milliseconds } from './figures/options';
import type { Column } from './column';
import { FURTHER } from './further-rows';
import { lifeText, mostWorn } from './wear';
import { allResponses, saturationText, type Answered, type ArrayResult } from './result';

const HOURS_PER_YEAR = 8760;
/** Years, told in months or days where they are few. */
const LIFE = 'life';
/** Shares of which small ones are nothing. */
const LOAD = 'load';
/** Seconds, told in hours or days where they are many. */
const SPAN = 'span';

export interface Cell {
  value: number | null;
  /** The value as read; an em dash where there is none. */
  text: string;
  /** Why there is no value, or more about the one there is. */
  note: string | null;
  /** Said often: shown where one points at it only. */
  quiet?: boolean;
}

export interface TableRow {
  id: string;
  label: string;
  unit: string;
  lowerIsBetter: boolean | null;
  cells: Map<string, Cell>;
  /** Arrays that cannot keep up: nothing of them is best. */
  off?: ReadonlySet<string>;
}

/** What other models know of an array, by letter; each with the reason where they do not. */
export interface Beside {
  letter: string;
  figures: Record<string, { value: number | null; reason: string | null } | undefined>;
}

type Percentile = 'mean_ms' | 'p50_ms' | 'p90_ms' | 'p95_ms' | 'p99_ms' | 'p999_ms' | 'max_ms';

function response(id: Percentile, label: string): Column {
  return {
    id,
    label,
    unit: 'ms',
    lowerIsBetter: true,
    read: (result) => {
      const value = allResponses(result)?.[id] ?? null;
      const saturated = saturationText(result);
      const few = 'Of fewer than 10,000 requests a tail percentile says little.';
      const reason = saturated ? `Withheld: ${saturated}.` : few;
      return { value, note: value === null ? reason : intervalText(id, result) };
    },
  };
}

function meanOf(requests: 'reads' | 'writes', label: string): Column {
  return {
    id: requests,
    label,
    unit: 'ms',
    lowerIsBetter: true,
    read: (result) => {
      const found = result.responses.find((row) => row.requests === requests);
      const saturated = saturationText(result);
      const none = saturated ? `Withheld: ${saturated}.` : `There were no ${requests}.`;
      const value = found?.mean_ms ?? null;
      return { value, note: value === null ? none : null };
    },
  };
}

const SHARES: Partial<Record<Percentile, number>> = {
  p50_ms: 0.5,
  p90_ms: 0.9,
  p95_ms: 0.95,
  p99_ms: 0.99,
  p999_ms: 0.999,
};

function intervalOf(id: Percentile, result: ArrayResult) {
  if (id === 'mean_ms') {
    return { low: result.mean_interval_low_ms, high: result.mean_interval_high_ms };
  }
  const known = result.percentile_intervals ?? [];
  const found = known.find(({ percentile_fraction: share }) => share === SHARES[id]);
  return { low: found?.low_ms ?? null, high: found?.high_ms ?? null };
}

function intervalText(id: Percentile, result: ArrayResult): string | null {
  const { low, high } = intervalOf(id, result);
  if (low === null || high === null) return null;
  return `95% interval ${range(low / 1000, high / 1000, 's')}`;
}

function years(result: ArrayResult): { value: number | null; note: string | null } {
  const most = mostWorn(result);
  if (most !== null) return { value: most.years, note: most.device.name };
  return {
    value: null,
    note: 'No wear in this run, or no rating.',
  };
}

const COLUMNS: readonly Column[] = [
  response('mean_ms', 'Mean response'),
  response('p50_ms', 'p50'),
  response('p90_ms', 'p90'),
  response('p95_ms', 'p95'),
  response('p99_ms', 'p99'),
  response('p999_ms', 'p99.9'),
  response('max_ms', 'Longest response'),
  meanOf('reads', 'Mean of reads'),
  meanOf('writes', 'Mean of writes'),
  {
    id: 'throughput',
    label: 'Served',
    unit: '1/s',
    lowerIsBetter: false,
    read: (result) => ({
      value: result.throughput_per_s,
      note: `${quantity(result.throughput_mb_per_s, 'MB/s')}`,
    }),
  },
  {
    id: 'busy',
    label: 'Busiest drive at work',
    unit: LOAD,
    lowerIsBetter: null,
    read: (result) => ({
      value: Math.max(...result.devices.map((device) => device.utilization_fraction)),
    }),
  },
  {
    id: 'power',
    label: 'Power',
    unit: 'W',
    lowerIsBetter: true,
    read: (r) => ({ value: r.power_w }),
  },
  {
    id: 'energy',
    label: 'Energy of a year',
    unit: 'kWh',
    lowerIsBetter: true,
    read: (result) => ({ value: (result.power_w * HOURS_PER_YEAR) / 1000 }),
  },
  {
    id: 'per_request',
    label: 'Energy of 1,000 requests',
    unit: 'J',
    lowerIsBetter: true,
    read: (result) => ({ value: result.energy_per_1000_requests_j }),
  },
  {
    id: 'starts',
    label: 'Wakes of a day, most of a drive',
    unit: 'count',
    lowerIsBetter: true,
    read: (result) => ({
      value:
        (Math.max(...result.devices.map((device) => device.spin_ups_count)) * 86_400) /
        Math.max(result.duration_s, 1e-9),
    }),
  },
  {
    id: 'wear',
    label: 'Endurance remaining',
    unit: LIFE,
    lowerIsBetter: false,
    read: years,
  },
];

/** Rows that only some arrays have; left out where none of them does. */
const SOME: readonly Column[] = [
  ...FURTHER,
  {
    id: 'cache_hits',
    label: 'Reads that the cache answers',
    unit: 'fraction',
    lowerIsBetter: false,
    read: ({ cache }) => ({ value: cache?.hit_fraction ?? null }),
  },
  {
    id: 'copy_hits',
    label: 'Reads that a copy in free space serves',
    unit: 'fraction',
    lowerIsBetter: false,
    read: ({ copies }) => ({ value: copies?.hit_fraction ?? null }),
  },
  {
    id: 'parity_operations',
    label: 'Operations for parity',
    unit: 'count',
    lowerIsBetter: true,
    read: ({ parity_operations_count: count }) => ({ value: count || null }),
  },
  {
    id: 'rebuild',
    label: 'Rebuild of a whole disk',
    unit: SPAN,
    lowerIsBetter: true,
    read: ({ rebuild_s, rebuild_mb_per_s }) => ({
      value: rebuild_s,
      note: rebuild_mb_per_s === null ? null : `at ${quantity(rebuild_mb_per_s, 'MB/s')}`,
    }),
  },
];

interface BesideColumn {
  id: string;
  label: string;
  unit: string;
  lowerIsBetter: boolean;
}

/** Rows that models other than the simulator fill. */
export const BESIDE: readonly BesideColumn[] = [
  { id: 'usable_tb', label: 'Usable capacity', unit: 'TB', lowerIsBetter: false },
  { id: 'usd_per_tb_year', label: 'Cost per TB and year', unit: 'USD', lowerIsBetter: true },
  {
    id: 'kgco2e_per_tb_year',
    label: 'Carbon per TB and year',
    unit: 'kgCO2e',
    lowerIsBetter: true,
  },
  {
    id: 'loss_fraction_per_year',
    label: 'Chance of data loss in a year, unreadable sectors included',
    unit: 'fraction',
    lowerIsBetter: true,
  },
];

function cellText(value: number, unit: string): string {
  if (unit === 'ms') return milliseconds(value);
  if (unit === LIFE) return lifeText(value);
  if (unit === LOAD) return loadText(value);
  if (unit === SPAN) return spanText(value);
  return quantity(value, unit);
}

function cell(value: number | null, unit: string, note: string | null): Cell {
  return { value, text: value === null ? '—' : cellText(value, unit), note };
}

/** Rows of responses that say why they are withheld; the others say it when pointed at. */
const SPOKEN = new Set(['mean_ms', 'p95_ms']);

/** The figures of the runs as rows, arrays as columns. */
export function tableRows(rows: readonly Answered[], beside: readonly Beside[]): TableRow[] {
  const some = SOME.filter(({ read }) => rows.some((row) => read(row.result).value !== null));
  const simulated = [...COLUMNS, ...some].map(({ read, ...column }) => ({
    ...column,
    cells: new Map(
      rows.map((row) => {
        const { value, note = null } = read(row.result);
        const quiet = row.result.saturated && value === null && !SPOKEN.has(column.id);
        return [row.letter, { ...cell(value, column.unit, note), quiet }];
      }),
    ),
  }));
  const others = BESIDE.map((column) => ({
    ...column,
    cells: new Map(
      beside.map(({ letter, figures }) => {
        const figure = figures[column.id];
        return [letter, cell(figure?.value ?? null, column.unit, figure?.reason ?? null)];
      }),
    ),
  }));
  const off = new Set(rows.filter(({ result }) => result.saturated).map(({ letter }) => letter));
  return [...simulated, ...others].map((row) => ({ ...row, off }));
}

/** The array with the best value of a row; none where they read the same, stand alone or are not comparable. */
export function bestOf(row: TableRow): string | null {
  if (row.lowerIsBetter === null) return null;
  const known = [...row.cells].flatMap(([letter, { value, text }]) =>
    value === null || row.off?.has(letter) ? [] : [{ letter, value, text }],
  );
  if (known.length < 2) return null;
  const sign = row.lowerIsBetter ? 1 : -1;
  const [first, second] = known.sort((a, b) => sign * (a.value - b.value));
  return first && second && first.text !== second.text ? first.letter : null;
}
