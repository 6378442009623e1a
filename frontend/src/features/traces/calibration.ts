import type { Asked, Drive } from '../../lib/drives';
import type { Science } from '../../lib/science';
import { traceRef, type Trace } from '../../lib/traces';

export const CALIBRATION_MODEL = 'storage.calibrate_drive';

/** What one size of block gives the calibration: latencies by direction and depth. */
export interface Calibration {
  size_bytes: number;
  rows: {
    way: 'read' | 'write';
    depth_count: number;
    latency_ms: number;
    rate_per_s?: number | null;
    percentiles: object[];
  }[];
}

export type CalibrationAnswer = Science['storage.calibrate_drive.Result'];

export function calibrationParams(
  { rows, size_bytes }: Calibration,
  drive: Drive | null,
  fitSeeks: boolean,
): object | null {
  return drive && { drive, rows, size_bytes, fit_seeks: fitSeeks && drive.kind === 'hdd' };
}

/** Each row's requests, by name, in which the fitted drive alone answers as the fit says. */
export function askedBy(
  { depths }: CalibrationAnswer,
  given: Pick<Calibration, 'size_bytes'> | undefined,
): { label: string; asked: Asked }[] {
  if (!given) return [];
  const { size_bytes } = given;
  return depths.flatMap(({ way, depth_count, arrivals }) =>
    arrivals
      ? [
          {
            label: `${way === 'read' ? 'Reads' : 'Writes'} at depth ${depth_count}`,
            asked: { arrivals, size_bytes, read_fraction: way === 'read' ? 1 : 0 },
          },
        ]
      : [],
  );
}

export const RECORDED_MODEL = 'storage.calibrate_trace';

/** A drive fitted to a trace with response times. */
export type RecordedAnswer = Science['storage.calibrate_trace.Result'];

export const recordedParams = (trace: Trace, drive: Drive): object => ({
  drive,
  demand: { kind: 'trace', trace: traceRef(trace) },
});
