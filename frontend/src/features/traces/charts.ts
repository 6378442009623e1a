import type { Calibration } from './calibration';

/** The series of a trace's charts, as the API gives them; what a kind lacks is left out. */
export interface Charts {
  rate?: { step_s: number; reads_per_s: number[]; writes_per_s: number[] };
  sizes?: { upto_bytes: number[]; requests_count: number[]; bytes: number[] };
  gaps?: { upto_s: number[]; fraction: number[]; time_fraction: number[] };
  responses?: { upto_s: number[]; fraction: number[] };
  footprint?: { day_bytes: number[] };
  band?: Band;
  heat?: { step_s: number; names: string[]; cpu_fraction: (number | null)[][] };
  hours?: { mean_fraction: (number | null)[]; p95_fraction: (number | null)[] };
  memory?: { step_s: number; mean_fraction: (number | null)[] };
  power?: { step_s: number; total_w: (number | null)[] };
  points?: MeasuredPoint[];
  calibrations?: Calibration[];
  fleet?: FleetRates;
  lifetimes?: { curves: SurvivalCurve[]; reason: string | null };
}

export interface Band {
  step_s: number;
  start_s: number;
  mean: (number | null)[];
  p5: (number | null)[];
  p25: (number | null)[];
  p50: (number | null)[];
  p75: (number | null)[];
  p95: (number | null)[];
}

export interface MeasuredPoint {
  job: string;
  direction: string;
  block_bytes: number;
  queue_depth_count: number;
  jobs_count?: number;
  iops_per_s: number;
  latency_mean_ms: number;
  p99_ms: number | null;
}

/** Drives of one model: how many, for how long, and how often they fail. */
export interface Cohort {
  name: string;
  afr_per_year: number;
  low_per_year: number;
  high_per_year: number;
  drives_count: number;
  drive_days_count: number;
  failures_count: number;
  capacity_tb: number | null;
}

export interface FleetRates {
  cohorts: Cohort[];
  models_count: number;
  confidence_fraction: number;
}

/** How drives survive, by age, and the Weibull law of it. */
export interface SurvivalCurve {
  name: string;
  drives_count: number;
  failures_count: number;
  age_years: number[];
  survival_fraction: number[];
  low_fraction: number[];
  high_fraction: number[];
  /** Absent in charts of traces that were read before it was told. */
  weibull_fraction?: number[];
  weibull_scale_years: number;
  weibull_shape_ratio: number;
  weibull_shape_low_ratio: number;
  weibull_shape_high_ratio: number;
}
