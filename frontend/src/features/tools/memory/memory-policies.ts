import { money, percent, quantity, significant } from '../../../lib/format';

export const INSTANT_MODEL = 'memory.power_policies_instant';
export const SIMULATED_MODEL = 'memory.power_policies';
export const MODULE_MODEL = 'memory.dimm_power';

export const TECHNIQUES: Record<string, string> = {
  NOPM: 'NOPM',
  IPD: 'IPD',
  ISR: 'ISR',
  HW: 'HW',
  HW_SW: 'HW-SW',
  PAVM: 'PAVM',
  PAVM_IPD: 'PAVM+IPD',
};

/** What each of them does, for the hover. */
export const TECHNIQUE_MEANS: Record<string, string> = {
  NOPM: 'No power management: every rank in standby.',
  IPD: 'Immediate power-down: a rank powers down as soon as it is idle.',
  ISR: 'Immediate self-refresh: a rank refreshes itself as soon as it is idle.',
  HW: 'A predictor in the controller chooses when a rank sleeps.',
  HW_SW: 'The predictor keeps a history for each process.',
  PAVM: 'The system keeps the ranks of the running process awake, others refresh themselves.',
  PAVM_IPD: 'As PAVM, with power-down of the ranks that are awake.',
};

/** Average power by cause, where a simulation tells them apart. */
export interface PowerCauses {
  standby_w: number;
  powerdown_w: number;
  self_refresh_w: number;
  peripheral_w: number;
  access_w: number;
}

export interface TechniqueRow {
  technique: string;
  average_w: number | null;
  saving_fraction: number | null;
  response_ns: number | null;
  runtime_ratio: number | null;
  pdd_w: number | null;
  reason?: string | null;
  energy_j?: number;
  causes?: PowerCauses;
}

export interface PoliciesAnswer {
  rate_per_s: number;
  techniques: TechniqueRow[];
  warnings?: string[];
}

/** What is drawn of a technique: joules over a time, and how much longer the work takes. */
export interface PolicyPoint {
  name: string;
  joules: number | null;
  slower_fraction: number | null;
  pieces: { label: string; joules: number }[];
}

const PIECES: readonly { key: keyof PowerCauses; label: string }[] = [
  { key: 'standby_w', label: 'Standby' },
  { key: 'powerdown_w', label: 'Power-down' },
  { key: 'self_refresh_w', label: 'Self-refresh' },
  { key: 'peripheral_w', label: 'Clock and registers' },
  { key: 'access_w', label: 'Accesses' },
];

function piecesOf({ average_w, energy_j, causes }: TechniqueRow): PolicyPoint['pieces'] {
  if (average_w === null) return [];
  if (!causes) return [{ label: 'All', joules: average_w }];
  const seconds = average_w > 0 && energy_j !== undefined ? energy_j / average_w : 1;
  return PIECES.map(({ key, label }) => ({ label, joules: causes[key] * seconds }));
}

/** One second in closed form; the time that was simulated otherwise. */
export function policyPoints(answer: PoliciesAnswer): PolicyPoint[] {
  return answer.techniques.map((row) => ({
    name: TECHNIQUES[row.technique] ?? row.technique,
    joules: row.energy_j ?? row.average_w,
    slower_fraction: row.runtime_ratio === null ? null : row.runtime_ratio - 1,
    pieces: piecesOf(row),
  }));
}

const slower = (ratio: number | null) =>
  ratio === null || ratio - 1 < 5e-5
    ? 'without slowing the work'
    : `and the work takes ${percent(ratio - 1)} longer`;

/** The policy with the least power times delay squared, the thesis' measure. */
export function bestPolicy(answer: PoliciesAnswer): TechniqueRow | undefined {
  return answer.techniques.reduce<TechniqueRow | undefined>(
    (best, row) =>
      row.pdd_w !== null && (best?.pdd_w == null || row.pdd_w < best.pdd_w) ? row : best,
    undefined,
  );
}

export function policiesSentence(answer: PoliciesAnswer): string {
  const best = bestPolicy(answer);
  const none = answer.techniques.find(({ technique }) => technique === 'NOPM');
  if (!best) return 'No formula holds for this traffic. Simulate it.';
  const name = TECHNIQUES[best.technique] ?? best.technique;
  const from = none?.average_w == null ? '' : ` of ${quantity(none.average_w, 'W')}`;
  return (
    `**${name} is best for this traffic: ${quantity(best.average_w, 'W')}${from}**, ` +
    `${percent(best.saving_fraction)} less, ${slower(best.runtime_ratio)}.`
  );
}

export function policiesMore(answer: PoliciesAnswer): string {
  const rate = `${significant(answer.rate_per_s / 1e6)} million accesses a second.`;
  const reasons = answer.techniques.flatMap(({ technique, reason }) =>
    reason ? [`${TECHNIQUES[technique] ?? technique}: ${reason}`] : [],
  );
  return [
    rate,
    'Best: least power times delay squared.',
    ...reasons,
    ...(answer.warnings ?? []),
  ].join(' ');
}

export interface ModuleState {
  state: string;
  module_w: number;
  all_w: number;
  exit_ns: number;
}

export interface ModulePolicy {
  policy: 'ready' | 'power_down';
  average_w: number;
  standby_w: number;
  powerdown_w: number;
  refresh_w: number;
  register_w: number;
  traffic_w: number;
  energy_kwh_per_year: number;
  electricity_usd_per_year: number;
}

export interface ModuleAnswer {
  states: ModuleState[];
  policies: ModulePolicy[];
  powerdown_saving_w: number | null;
  reason: string | null;
}

export function moduleSentence(answer: ModuleAnswer): string {
  const [ready, down] = answer.policies;
  if (answer.reason !== null || !ready || !down) {
    return `**Power is not known.** ${answer.reason ?? ''}`;
  }
  const kwh = ready.energy_kwh_per_year - down.energy_kwh_per_year;
  const usd = ready.electricity_usd_per_year - down.electricity_usd_per_year;
  return (
    `**These modules draw ${quantity(ready.average_w, 'W')} always ready and ` +
    `${quantity(down.average_w, 'W')} with power-down**, which saves ${quantity(kwh, 'kWh')} and ` +
    `${money(usd)} a year.`
  );
}
