/** What `storage.array` answers, and what its closed form does. */

export type StateName = 'active' | 'seek' | 'idle' | 'low_power_idle' | 'standby' | 'transition';

export interface Responses {
  requests: 'all' | 'reads' | 'writes';
  requests_count: number;
  mean_ms: number | null;
  sd_ms: number | null;
  p50_ms: number | null;
  p90_ms: number | null;
  p95_ms: number | null;
  p99_ms: number | null;
  p999_ms: number | null;
  max_ms: number | null;
}

export interface StateUse {
  state: StateName;
  time_fraction: number;
  energy_j: number;
}

export interface DeviceUse {
  name: string;
  power_w: number;
  utilization_fraction: number;
  states: StateUse[];
  spin_ups_count: number;
  low_power_wakes_count: number;
  reads_count: number;
  writes_count: number;
  written_tb: number;
  max_queue_count: number;
  /** Missing in answers of earlier versions, as are the others that may be. */
  mean_queue_count?: number;
  load_unloads_count?: number;
  seek_mean_ms?: number | null;
  rotation_mean_ms?: number | null;
  transfer_mean_ms?: number | null;
  write_amplification_ratio?: number | null;
  years_to_rating_years: number | null;
}

export interface PowerPiece {
  start_s: number;
  end_s: number;
  power_w: number;
  active_w: number;
  seek_w: number;
  idle_w: number;
  low_power_idle_w: number;
  standby_w: number;
  transition_w: number;
}

export type Cause = StateName | 'solid_state_cache';

export interface EnergyShare {
  cause: Cause;
  energy_j: number;
  energy_fraction: number;
}

/** The 95% interval of a percentile. */
export interface PercentileInterval {
  percentile_fraction: number;
  low_ms: number;
  high_ms: number;
}

export interface PerYear {
  energy_kwh: number;
  energy_usd_per_year: number;
  capital_usd_per_year: number | null;
  mttdl_years: number | null;
  loss_fraction: number;
}

export interface CurvePoint {
  load_fraction: number;
  offered_per_s: number;
  throughput_per_s: number;
  mean_ms: number | null;
  p95_ms: number | null;
  p99_ms: number | null;
  power_w: number;
  saturated: boolean;
}

export interface ArrayResult {
  duration_s: number;
  requests_count: number;
  power_w: number;
  energy_j: number;
  energy_kwh: number;
  energy_per_1000_requests_j: number;
  responses: Responses[];
  mean_interval_low_ms: number | null;
  mean_interval_high_ms: number | null;
  percentile_intervals?: PercentileInterval[];
  cdf_response_ms: number[];
  cdf_fraction: number[];
  throughput_per_s: number;
  throughput_mb_per_s: number;
  mean_in_system_count: number;
  saturated: boolean;
  saturated_reason: 'queue_overflow' | 'utilization' | 'response_grows' | null;
  devices: DeviceUse[];
  power_over_time: PowerPiece[];
  energy_by_cause: EnergyShare[];
  curve: CurvePoint[];
  stopped_early: boolean;
  cache: { hit_fraction: number | null; destages_count: number } | null;
  copies: { hit_fraction: number | null; copied_tb: number } | null;
  parity_operations_count: number;
  rebuild_mb_per_s: number | null;
  rebuild_s: number | null;
  per_year?: PerYear;
  warnings: string[];
}

export interface InstantResult {
  service_mean_ms: number;
  max_rate_per_s: number;
  utilization_ratio: number;
  carries_load: boolean;
  response_mean_ms: number | null;
  busy_count: number;
  awake_count: number;
  always_on_w: number;
  one_awake_w: number | null;
  low_power_idle_s: number | null;
  standby_s: number | null;
  saved_w: number | null;
  saved_usd_per_year: number | null;
  /** Nothing: the electricity saved never pays the dearer drives. */
  payback_years: number | null;
  flash: FlashUse | null;
}

/** What random requests do to each solid-state drive, in closed form. */
export interface FlashUse {
  write_amplification_ratio: number;
  drive_writes_per_day: number;
  wear_years: number | null;
}

/** An array with the answer of its run. */
export interface Answered {
  letter: string;
  title: string;
  result: ArrayResult;
}

interface Named {
  entries: readonly { letter: string; title: string }[];
}

/** The arrays that have an answer, in the order of the page. */
export function answeredOf(
  state: Named,
  rows: readonly { letter: string; result: ArrayResult | undefined }[],
): Answered[] {
  return state.entries.flatMap(({ letter, title }) => {
    const result = rows.find((row) => row.letter === letter)?.result;
    return result ? [{ letter, title, result }] : [];
  });
}

export function allResponses(result: ArrayResult): Responses | undefined {
  return result.responses.find((row) => row.requests === 'all');
}

const SATURATED: Record<NonNullable<ArrayResult['saturated_reason']>, string> = {
  queue_overflow: 'a queue grew past what the simulator holds',
  utilization: 'a disk was busy at least 98% of the time',
  response_grows: 'responses grew without end',
};

/** Why percentiles are withheld, as half a sentence; nothing when they are not. */
export function saturationText(result: ArrayResult): string | null {
  if (!result.saturated) return null;
  return result.saturated_reason ? SATURATED[result.saturated_reason] : 'it cannot keep up';
}
