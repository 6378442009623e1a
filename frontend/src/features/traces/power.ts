import { percent } from '../../lib/format';
import { isObject, read, write, type Json, type JsonObject } from '../../lib/pointer';
import type { Science } from '../../lib/science';
import { figureOf, traceRef, type Trace } from '../../lib/traces';
import type { Design, Provenance } from '../../lib/types';

export const POWER_MODEL = 'power.calibrate';

export type PowerAnswer = Science['power.calibrate.Result'];
/** What a fit gives; a curve of points alone is entered, never fitted. */
type PowerCurve = Exclude<PowerAnswer['curve'], { kind: 'measured' }>;
type Estimate = PowerAnswer['power_idle'];

/** Whether a trace says what its machines draw. */
export const hasPower = (trace: Trace): boolean =>
  trace.kind === 'utilization' && figureOf(trace, 'power_mean_w') !== null;

/** Whether it says how busy they are too. */
export const hasLoad = (trace: Trace): boolean => figureOf(trace, 'cpu_mean_fraction') !== null;

export const powerParams = (trace: Trace, kind: string): object => ({
  trace: traceRef(trace),
  kind,
});

/** The curve as a node group of a design has it. */
export function powerOf(curve: PowerCurve): JsonObject {
  const ends = { kind: curve.kind, idle_w: curve.power_idle_w, peak_w: curve.power_max_w };
  if (curve.kind === 'fan') return { ...ends, exponent: curve.exponent };
  if (curve.kind === 'family') return { ...ends, family: curve.family };
  if (curve.kind === 'linear') return ends;
  return {
    ...ends,
    knee_load_fraction: curve.knee_utilization_fraction,
    knee_range_fraction: curve.knee_range_fraction,
  };
}

export interface PowerGroup {
  /** Where the group stands in the document of the design. */
  pointer: string;
  name: string;
}

/** The node groups of a design; a hybrid has those of the owned design that it names. */
export function groupsOf(design: Design): PowerGroup[] {
  const groups = read(design.spec as Json, '/node_groups');
  if (!Array.isArray(groups)) return [];
  return groups.map((group, at) => ({
    pointer: `/node_groups/${at}`,
    name: isObject(group) && typeof group.name === 'string' ? group.name : `Group ${at + 1}`,
  }));
}

/** The design with the curve in a group, and where its idle and full power come from. */
export function withPower(
  design: Design,
  pointer: string,
  answer: PowerAnswer,
  trace: Trace,
): { spec: JsonObject; provenance: Provenance } {
  const said = (estimate: Estimate) => ({
    quality: 'measured' as const,
    source: `${trace.title}, calibrated`,
    url: null,
    as_of: trace.created_at.slice(0, 10),
    low: estimate.low_w,
    high: estimate.high_w,
    note: `${answer.samples_count} samples; off by ${percent(answer.median_error_fraction)} in the median`,
    entry: null,
  });
  const power = `${pointer}/power`;
  const kept = Object.entries(design.provenance).filter(([at]) => !at.startsWith(`${power}/`));
  return {
    spec: write(design.spec as Json, power, powerOf(answer.curve as PowerCurve)) as JsonObject,
    provenance: {
      ...Object.fromEntries(kept),
      [`${power}/idle_w`]: said(answer.power_idle),
      [`${power}/peak_w`]: said(answer.power_max),
    } as Provenance,
  };
}
