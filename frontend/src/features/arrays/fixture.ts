import type { Answered, ArrayResult, Responses } from './result';

const figureOf = (id: string, label: string, value: number | null) => ({
  id,
  label,
  unit: 'ms',
  value,
  text: value === null ? '—' : String(value),
  note: null,
  lower_is_better: true,
});

const SHARES = Array.from({ length: 200 }, (_, index) => (index + 0.5) / 200);

/** A run of an M/M/1 queue: responses are exponential, so every figure is known in advance. */
export function exponential(letter: string, mean: number, watts: number): Answered {
  const quantile = (share: number) => -mean * Math.log(1 - share);
  const all: Responses = {
    requests: 'all',
    requests_count: 100_000,
    mean_ms: mean,
    sd_ms: mean,
    p50_ms: quantile(0.5),
    p90_ms: quantile(0.9),
    p95_ms: quantile(0.95),
    p99_ms: quantile(0.99),
    p999_ms: quantile(0.999),
    max_ms: quantile(1 - 1e-5),
  };
  const states = [
    { state: 'active' as const, time_fraction: 0.25, energy_j: watts * 250 },
    { state: 'standby' as const, time_fraction: 0.75, energy_j: watts * 750 },
  ];
  const result = {
    duration_s: 1000,
    requests_count: 100_000,
    power_w: watts,
    energy_j: watts * 1000,
    energy_kwh: watts / 3600,
    energy_per_1000_requests_j: watts * 10,
    responses: [all],
    mean_interval_low_ms: mean * 0.98,
    mean_interval_high_ms: mean * 1.02,
    percentile_intervals: [],
    cdf_response_ms: SHARES.map(quantile),
    cdf_fraction: SHARES,
    throughput_per_s: 100,
    throughput_mb_per_s: 0.8,
    mean_in_system_count: 1,
    saturated: false,
    saturated_reason: null,
    devices: [
      {
        name: 'disk 0',
        power_w: watts,
        utilization_fraction: 0.25,
        states,
        spin_ups_count: 10,
        low_power_wakes_count: 20,
        reads_count: 100_000,
        writes_count: 0,
        read_tb: 0.8,
        mean_queue_count: 0.4,
        seek_mean_ms: 3,
        rotation_mean_ms: 2,
        transfer_mean_ms: 1,
        access_energy_j: 0.01,
        load_unloads_count: 10,
        write_amplification_ratio: null,
        written_tb: 0,
        max_queue_count: 3,
        years_to_rating_years: 2,
      },
    ],
    power_over_time: [0, 500].map((start) => ({
      start_s: start,
      end_s: start + 500,
      power_w: watts,
      active_w: watts / 4,
      seek_w: 0,
      idle_w: 0,
      low_power_idle_w: 0,
      standby_w: (3 * watts) / 4,
      transition_w: 0,
    })),
    energy_by_cause: states.map(({ state, energy_j }) => ({
      cause: state,
      energy_j,
      energy_fraction: energy_j / (watts * 1000),
    })),
    curve: [50, 100].map((rate) => ({
      load_fraction: rate / 200,
      offered_per_s: rate,
      throughput_per_s: rate,
      mean_ms: mean,
      p95_ms: mean * 3,
      p99_ms: mean * 4.6,
      power_w: watts,
      saturated: false,
    })),
    stopped_early: false,
    cache: null,
    copies: null,
    buffer_hits_count: 0,
    parity_operations_count: 0,
    reconstructed_reads_count: 0,
    rebuild_mb_per_s: null,
    rebuild_s: null,
    per_year: {
      energy_kwh: watts * 8.76,
      energy_usd_per_year: 10,
      capital_usd_per_year: null,
      repair_h: 24,
      mttdl_years: null,
      loss_fraction: 0,
    },
    warnings: [],
    headline: '',
    withheld: null,
    wear: '864 start-stops a day of 631,000 rated, worn in 24 months',
    notes: [],
    tables: [],
    figures: [],
    measures: [
      figureOf('mean_ms', 'Mean response', mean),
      figureOf('p99_ms', 'p99 response', quantile(0.99)),
      { ...figureOf('power', 'Power', watts), unit: 'W' },
      figureOf('cache_hits', 'Reads that the cache answers', null),
    ],
  } satisfies ArrayResult;
  return { letter, title: `Array ${letter}`, result };
}

export function saturated(row: Answered): Answered {
  const none = {
    mean_ms: null,
    p50_ms: null,
    p95_ms: null,
    p99_ms: null,
    p999_ms: null,
    max_ms: null,
  };
  return {
    ...row,
    result: {
      ...row.result,
      saturated: true,
      saturated_reason: 'utilization',
      withheld: 'a disk was busy at least 98% of the time',
      measures: row.result.measures.map((figure) =>
        figure.unit === 'ms'
          ? { ...figure, value: null, text: '—', note: 'Withheld: a disk was busy.' }
          : figure,
      ),
      responses: row.result.responses.map((responses) => ({ ...responses, ...none })),
      cdf_response_ms: [],
      cdf_fraction: [],
    },
  };
}

export const FAST = exponential('A', 5, 12);
export const SPARING = exponential('B', 20, 3);
export const ROWS = [FAST, SPARING];
