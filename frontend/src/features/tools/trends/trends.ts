import { percent, quantity, significant } from '../../../lib/format';
import type { JsonObject } from '../../../lib/pointer';
import { missing, number, text, type Column, type Row } from '../frame/table';

export const TRENDS_MODEL = 'performance.device_trends';

export interface ProcessorPoint {
  name: string;
  speed_mips: number;
  efficiency_mips_per_w: number;
}

export interface DiskPoint {
  name: string;
  throughput_mb_per_s: number;
  efficiency_mb_per_j: number;
  rotation_rpm: number | null;
  form_factor: string;
}

export interface FlipPoint {
  working_set_bytes: number;
  accesses_per_j: number[];
  best: string;
}

export interface Trends {
  processors: ProcessorPoint[];
  disks: DiskPoint[];
  processor_slope_ratio: number | null;
  disk_slope_ratio: number | null;
  best_processor: string;
  best_disk: string;
  flips: FlipPoint[];
  flips_count: number;
  first_share_fraction: number;
}

export interface TrendsState {
  /** Empty: those of the catalogue, as the model has them. */
  processors: Row[] | null;
  disks: Row[] | null;
}

export const TRENDS_START: TrendsState = { processors: null, disks: null };

export const PROCESSOR_COLUMNS: readonly Column[] = [
  { key: 'name', label: 'Processor', kind: 'text', width: 220 },
  { key: 'speed_mips', label: 'Speed', unit: 'MIPS', kind: 'number' },
  { key: 'power_w', label: 'Power', unit: 'W', kind: 'number' },
];

export const DISK_COLUMNS: readonly Column[] = [
  { key: 'name', label: 'Disk', kind: 'text', width: 200 },
  { key: 'throughput_mb_per_s', label: 'Reads', unit: 'MB/s', kind: 'number' },
  { key: 'power_w', label: 'Power', unit: 'W', kind: 'number' },
  { key: 'rotation_rpm', label: 'Turns', unit: 'rpm', kind: 'number', optional: true },
  { key: 'form_factor', label: 'Width', kind: 'text', optional: true, width: 72 },
];

/** Rows whose values are known and above nothing; the model can take no other. */
export function knownDevices(rows: readonly Row[], columns: readonly Column[]): Row[] {
  return rows.filter(
    (row) =>
      missing(row, columns).length === 0 &&
      columns.every(({ key, kind }) => kind === 'text' || (number(row, key) ?? 1) > 0),
  );
}

function rowsOf(rows: readonly Row[], columns: readonly Column[]): JsonObject[] {
  return knownDevices(rows, columns).map((row) =>
    Object.fromEntries(
      columns
        .filter(({ key, optional }) => !optional || text(row, key) !== '')
        .map(({ key, kind }) => [key, kind === 'text' ? text(row, key) : number(row, key)]),
    ),
  );
}

/** What the model is asked; nothing while a list has no row that it could take. */
export function trendsParams({ processors, disks }: TrendsState): JsonObject | null {
  const asked: JsonObject = {};
  if (processors) asked.processors = rowsOf(processors, PROCESSOR_COLUMNS);
  if (disks) asked.disks = rowsOf(disks, DISK_COLUMNS);
  return Object.values(asked).some((rows) => Array.isArray(rows) && rows.length === 0)
    ? null
    : asked;
}

/** A name without what follows its comma or bracket: Atom Z500. */
export function shortName(name: string): string {
  return name.split(/[,(]/)[0]?.trim() ?? name;
}

export function diskKind({ form_factor, rotation_rpm }: DiskPoint): string {
  return rotation_rpm === null
    ? form_factor
    : `${form_factor}, ${rotation_rpm.toLocaleString('en-GB')} rpm`;
}

export function trendsSentence(found: Trends): string {
  const disk = found.disks.find(({ name }) => name === found.best_disk);
  const processor = found.processors.find(({ name }) => name === found.best_processor);
  if (!disk || !processor) return 'Nothing to compare.';
  return (
    `**${shortName(disk.name)}** (${diskKind(disk)}) moves most per joule, ` +
    `${significant(disk.efficiency_mb_per_j)} MB; **${shortName(processor.name)}** does most work, ` +
    `${significant(processor.efficiency_mips_per_w)} million instructions.`
  );
}

function slopeText(slope: number | null, what: string): string {
  if (slope === null) return `${what}: all are equally fast.`;
  const change = 2 ** slope - 1;
  const way = change < 0 ? 'less' : 'more';
  return `${what}: twice the speed comes with ${percent(Math.abs(change))} ${way} work per joule.`;
}

export function slopesSentence(found: Trends): string {
  return `Over the whole list: ${slopeText(found.processor_slope_ratio, 'processors').replace(
    /\.$/,
    ';',
  )} ${slopeText(found.disk_slope_ratio, 'disks')}`;
}

/** The places where another platform becomes the better one. [B] */
export function turns(flips: readonly FlipPoint[]): number[] {
  return flips.flatMap((point, at) => {
    const before = flips[at - 1];
    if (!before || before.best === point.best) return [];
    return [Math.sqrt(before.working_set_bytes * point.working_set_bytes)];
  });
}

export function sizeText(bytes: number): string {
  const [value, unit] = bytes >= 1_048_576 ? [bytes / 1_048_576, 'MiB'] : [bytes / 1024, 'KiB'];
  return quantity(value >= 10 ? Math.round(value) : Number(value.toPrecision(2)), unit);
}
