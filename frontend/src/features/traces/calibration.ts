import type { Drive } from '../../lib/drives';
import { percent, quantity, significant } from '../../lib/format';
import type { Science } from '../../lib/science';
import { traceRef, type Trace } from '../../lib/traces';

export const CALIBRATION_MODEL = 'storage.calibrate_drive';

/** What one size of block gives the calibration: latencies by direction and depth. */
export interface Calibration {
  size_bytes: number;
  rows: { way: 'read' | 'write'; depth_count: number; latency_ms: number; percentiles: object[] }[];
}

export type CalibrationAnswer = Science['storage.calibrate_drive.Result'];
export type DepthFit = CalibrationAnswer['depths'][number];

export function calibrationParams(
  { rows, size_bytes }: Calibration,
  drive: Drive | null,
  fitSeeks: boolean,
): object | null {
  return drive && { drive, rows, size_bytes, fit_seeks: fitSeeks && drive.kind === 'hdd' };
}

const ms = (value: number) => quantity(value / 1000, 's');

function served({ channels_count: many, waits_for_dies }: CalibrationAnswer): string {
  if (waits_for_dies) return `on that of ${many} dies which has its data`;
  return many === 1 ? 'one at a time' : `${many} at a time`;
}

/** How well the drive fits, and what it then does. */
export function calibrationSentence(answer: CalibrationAnswer): string {
  const { demerit_fraction: single, depth_demerit_fraction: depths } = answer;
  const fit =
    single === null
      ? `**The fitted drive misses the mean latencies by ${percent(depths)}**`
      : `**The fitted drive has a demerit of ${percent(single)}** on single reads`;
  return `${fit}: a read takes ${ms(answer.read_service_ms)}, ${served(answer)}, at most ${significant(
    answer.max_read_per_s,
  )} a second.`;
}

export function calibrationMore(answer: CalibrationAnswer): string[] {
  const { sheet_demerit_fraction: sheet, demerit_fraction: single } = answer;
  const { write_service_ms: write, max_write_per_s: writes } = answer;
  return [
    sheet === null || single === null
      ? 'The file has no percentiles of single reads, so there is no demerit of their distribution.'
      : `By its data sheet alone the demerit is ${percent(sheet)}.`,
    `Over the depths the mean latencies of reads are off by ${percent(answer.depth_demerit_fraction)} (root-mean-square).`,
    write === null || writes === null
      ? ''
      : `A write takes ${ms(write)}, at most ${significant(writes)} a second; off by ${percent(
          answer.write_depth_demerit_fraction,
        )} over the depths.`,
    ...sorting(answer),
    ...answer.notes,
  ].filter(Boolean);
}

const ORDERS = {
  fcfs: 'Reads are taken as they come.',
  clook: 'Reads are taken upwards by sector, as a host sorts them for a drive without a queue.',
  sptf: 'Reads are taken by what the head reaches first',
};

/** How a disk takes its reads, how many writes it holds, and which rows told nothing. */
function sorting({ queue_order, queue_count, held_writes_count, depths }: CalibrationAnswer) {
  const sorted = queue_order === 'sptf' ? `, of ${queue_count ?? 'all'} at a time.` : '';
  return [
    queue_order === null ? '' : ORDERS[queue_order] + sorted,
    held_writes_count === null
      ? ''
      : `Its memory holds ${held_writes_count} writes and puts them on the platter by position.`,
    ...unused(depths),
  ];
}

/** One sentence for each reason, with its rows. */
function unused(depths: DepthFit[]): string[] {
  const reasons = new Map<string, string[]>();
  for (const { way, depth_count, unused_reason: reason } of depths) {
    if (reason === null) continue;
    reasons.set(reason, [...(reasons.get(reason) ?? []), `${way}s at depth ${depth_count}`]);
  }
  return [...reasons].map(([reason, rows]) => `Not used: ${rows.join(', ')}. ${reason}`);
}

export interface Fitted {
  label: string;
  sheet: string;
  fitted: string;
}

/** The parameters that were fitted, beside those of the data sheet. */
export function fittedRows(sheet: Drive, fitted: Drive): Fitted[] {
  if (sheet.kind === 'ssd' && fitted.kind === 'ssd') {
    const rate = (value: number) => quantity(value, 'MB/s');
    return [
      row('Requests at once', sheet.channels_count, fitted.channels_count, String),
      row('Read latency', sheet.read_latency_ms, fitted.read_latency_ms, ms),
      row('Write latency', sheet.write_latency_ms, fitted.write_latency_ms, ms),
      row('Read rate of a channel', sheet.read_mb_per_s, fitted.read_mb_per_s, rate),
      row('Write rate of a channel', sheet.write_mb_per_s, fitted.write_mb_per_s, rate),
      row('Link, for a read', sheet.dies?.link_read_ms ?? 0, fitted.dies?.link_read_ms ?? 0, ms),
    ];
  }
  if (sheet.kind === 'hdd' && fitted.kind === 'hdd') {
    const seeks = (drive: typeof sheet) =>
      drive.seek.kind === 'three_point'
        ? `${ms(drive.seek.min_ms)}, ${ms(drive.seek.avg_ms)}, ${ms(drive.seek.max_ms)}`
        : '—';
    return [
      row('Overhead', sheet.overhead_ms, fitted.overhead_ms, ms),
      { label: 'Seeks: next track, mean, full', sheet: seeks(sheet), fitted: seeks(fitted) },
    ];
  }
  return [];
}

function row(label: string, sheet: number, fitted: number, word: (value: number) => string) {
  return { label, sheet: word(sheet), fitted: word(fitted) };
}

export const RECORDED_MODEL = 'storage.calibrate_trace';

/** A drive fitted to a trace with response times. */
export type RecordedAnswer = Science['storage.calibrate_trace.Result'];
/** Speed and skews by when reads ended, of a drive whose tracks are described. */
export type FollowedTracks = NonNullable<RecordedAnswer['tracks']>;

export const recordedParams = (trace: Trace, drive: Drive): object => ({
  drive,
  demand: { kind: 'trace', trace: traceRef(trace) },
});

/** How well the drive fits requests that were not used for the fit. */
export function recordedSentence(answer: RecordedAnswer): string {
  return `**The fitted drive has a demerit of ${percent(answer.demerit_fraction)}** on the second half: a request takes ${ms(
    answer.modelled_mean_ms,
  )} on average, ${ms(answer.measured_mean_ms)} was measured.`;
}

export function recordedMore(answer: RecordedAnswer): string[] {
  const buffered = answer.classes.filter(({ path }) => path === 'buffer');
  const names = buffered.map(
    ({ way, sequential }) => `${sequential ? 'sequential' : 'other'} ${way}s`,
  );
  return [
    `By its data sheet alone the demerit is ${percent(answer.sheet_demerit_fraction)}; on the first half, which was fitted, it is ${percent(
      answer.fitted_demerit_fraction,
    )}.`,
    `${answer.alone_count.toLocaleString('en-GB')} requests (${percent(
      answer.alone_fraction,
    )}) found the drive idle${answer.tracks ? '' : ': these are compared'}.`,
    answer.tracks ? followed(answer.tracks) : '',
    names.length > 0
      ? `The drive's own buffer answers ${names.join(', ')} better than seek and rotation explain.`
      : '',
  ].filter(Boolean);
}

function followed(tracks: FollowedTracks): string {
  const so = 'Requests were followed over the tracks one by one';
  if (!tracks.follows_angle) {
    return `${so}; their reads agree with no one skew for all zones, so the angle of the platter was taken at random.`;
  }
  if (!tracks.found_skews) return `${so}; their reads agree with the described speed and skews.`;
  const skews = `${ms(tracks.head_skew_ms)} and ${ms(tracks.cylinder_skew_ms)}`;
  return `${so}; their reads agree with ${significant(tracks.speed_rpm)} rpm and skews of ${skews}, not with those described.`;
}
