import type { Side } from './tokens';

export interface FormulaTerm {
  name: string;
  value: number | null;
  unit: string;
  pointer: string | null;
}

export interface CauseCost {
  cause: string;
  side: Side;
  label: string;
  amount_usd: number;
  npv_usd: number;
  formula: string;
  terms: FormulaTerm[];
}

export interface YearRow {
  year: number;
  capex_usd: number;
  opex_usd: number;
  depreciation_usd: number;
  cash_usd: number;
  npv_usd: number;
  causes: Record<string, number>;
}

export type Basis = 'modelled' | 'estimate' | 'unknown';

export interface Energy {
  kwh: number | null;
  low_kwh: number | null;
  high_kwh: number | null;
  basis: Basis;
  reason: string | null;
}

export interface Carbon {
  kgco2e: number | null;
  low_kgco2e: number | null;
  high_kgco2e: number | null;
  operational_kgco2e: number | null;
  embodied_kgco2e: number | null;
  basis: Basis;
  reason: string | null;
}

export interface Spare {
  cores_fraction: number | null;
  ram_fraction: number | null;
  disk_fraction: number | null;
  throughput_fraction: number | null;
}

export interface SizedGroup {
  name: string;
  count: number;
  binding: string;
  required: Record<string, number | null>;
}

export interface DesignResult {
  letter: string;
  title: string;
  kind: string;
  is_baseline: boolean;
  carries_load: boolean;
  binding: { resource: string; label: string; detail: string | null };
  spare: Spare;
  sizing: { year: number; groups: SizedGroup[] }[];
  total_usd: number;
  npv_usd: number;
  eac_usd_per_year: number;
  irr_fraction: number | null;
  causes: CauseCost[];
  cumulative_usd: number[];
  cumulative_npv_usd: number[];
  years: YearRow[];
  energy: Energy;
  energy_by_cause_kwh: Record<string, number>;
  carbon: Carbon;
  p10_usd: number | null;
  p50_usd: number | null;
  p90_usd: number | null;
  win_fraction: number | null;
  cumulative_p10_usd: number[] | null;
  cumulative_p90_usd: number[] | null;
  warnings: string[];
}

export interface BreakEven {
  challenger: string;
  incumbent: string;
  discounted: boolean;
  first_month_cheaper: number | null;
  exact_months: number | null;
  crossings_count: number;
  cost_usd: number | null;
  reason: string | null;
}

export interface Tie {
  pointer: string;
  value: number | null;
  between: string[];
  reason: string | null;
}

export interface Flip {
  pointer: string;
  label: string;
  unit: string;
  value: number;
  flips_at: number | null;
  winner_after: string | null;
  reason: string | null;
}

export interface TornadoBar {
  pointer: string;
  label: string;
  unit: string;
  value: number;
  low: number;
  high: number;
  at_low_usd: number;
  at_high_usd: number;
}

export interface DifferenceRow {
  id: string;
  label: string;
  unit: string;
  values: Record<string, number | null>;
  reasons: Record<string, string>;
  best: string | null;
  lower_is_better: boolean | null;
}

export interface Verdict {
  kind: 'winner' | 'toss_up' | 'single' | 'none_carries';
  headline: string;
  payoff: string | null;
  odds: string | null;
  flips: string | null;
}

export interface Odds {
  draws_count: number;
  seed: number;
  wins: Record<string, number>;
}

/** The answer of plans.compare, as every screen and chart of a study reads it. */
export interface Comparison {
  horizon_months: number;
  currency: { code: string; per_usd: number; as_of: string | null };
  winner: string | null;
  runner_up: string | null;
  verdict: Verdict;
  designs: DesignResult[];
  break_evens: BreakEven[];
  ties: Tie[];
  odds: Odds | null;
  flips: Flip[];
  tornado: TornadoBar[];
  rows: DifferenceRow[];
  warnings: string[];
}

export function designByLetter(
  comparison: Comparison,
  letter: string | null,
): DesignResult | undefined {
  return comparison.designs.find((design) => design.letter === letter);
}
