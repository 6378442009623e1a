import { percent, quantity, significant } from '../../lib/format';
import { isObject, read, write, type Json, type JsonObject } from '../../lib/pointer';
import { figureOf, traceRef, type Trace } from '../../lib/traces';
import type { Design, Provenance } from '../../lib/types';

export const POWER_MODEL = 'power.calibrate';

export type CurveKind = 'linear' | 'fan' | 'family' | 'two_segments';

export const KINDS: Record<CurveKind, string> = {
  linear: 'A line',
  fan: 'Fan’s curve',
  family: 'A family’s shape',
  two_segments: 'Two segments',
};

export interface Estimate {
  value_w: number;
  low_w: number;
  high_w: number;
}

export interface PowerCurve {
  kind: CurveKind;
  power_idle_w: number;
  power_max_w: number;
  exponent?: number;
  family?: string;
  knee_utilization_fraction?: number;
  knee_range_fraction?: number;
}

export interface LoadBand {
  utilization_fraction: number;
  samples_count: number;
  measured_w: number;
  curve_w: number;
}

export interface PowerAnswer {
  curve: PowerCurve;
  power_idle: Estimate;
  power_max: Estimate;
  median_error_fraction: number;
  root_mean_square_w: number;
  kinds: { kind: CurveKind; root_mean_square_w: number; median_error_fraction: number }[];
  bands: LoadBand[];
  samples_count: number;
  warnings: string[];
}

/** Whether a trace says what its machines draw. */
export const hasPower = (trace: Trace): boolean =>
  trace.kind === 'utilization' && figureOf(trace, 'power_mean_w') !== null;

/** Whether it says how busy they are too. */
export const hasLoad = (trace: Trace): boolean => figureOf(trace, 'cpu_mean_fraction') !== null;

export const powerParams = (trace: Trace, kind: string): object => ({
  trace: traceRef(trace),
  kind,
});

const between = ({ low_w, high_w }: Estimate) =>
  `${significant(low_w)} to ${quantity(high_w, 'W')} in nine of ten refits`;

function shape({ kind, exponent, family, ...curve }: PowerCurve): string {
  if (kind === 'fan') return `Fan’s curve, exponent ${significant(exponent ?? 1)}`;
  if (kind === 'family') return `the shape of the family ${family}`;
  if (kind === 'linear') return 'a straight line';
  const knee = percent(curve.knee_utilization_fraction ?? 0);
  return `two segments that meet at ${knee} load, ${percent(curve.knee_range_fraction ?? 0)} of the way up`;
}

/** Idle, full power and shape. */
export function powerSentence(answer: PowerAnswer): string {
  const { power_idle: idle, power_max: full } = answer;
  return (
    `**A machine draws ${quantity(idle.value_w, 'W')} when idle** (${between(idle)}) and ` +
    `**${quantity(full.value_w, 'W')} at full load** (${between(full)}): ${shape(answer.curve)}.`
  );
}

export function powerMore(answer: PowerAnswer): string[] {
  const error = percent(answer.median_error_fraction);
  return [
    `On stretches that were left out of the fit it is off by ${error} in the median, ` +
      `${quantity(answer.root_mean_square_w, 'W')} root-mean-square, of ` +
      `${answer.samples_count.toLocaleString('en-GB')} samples.`,
    ...answer.warnings,
  ];
}

/** The curve as a node group of a design has it. */
export function powerOf(curve: PowerCurve): JsonObject {
  const ends = { kind: curve.kind, idle_w: curve.power_idle_w, peak_w: curve.power_max_w };
  if (curve.kind === 'fan') return { ...ends, exponent: curve.exponent ?? 1 };
  if (curve.kind === 'family') return { ...ends, family: curve.family ?? '' };
  if (curve.kind === 'linear') return ends;
  return {
    ...ends,
    knee_load_fraction: curve.knee_utilization_fraction ?? 0,
    knee_range_fraction: curve.knee_range_fraction ?? 0,
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
    spec: write(design.spec as Json, power, powerOf(answer.curve)) as JsonObject,
    provenance: {
      ...Object.fromEntries(kept),
      [`${power}/idle_w`]: said(answer.power_idle),
      [`${power}/peak_w`]: said(answer.power_max),
    } as Provenance,
  };
}
