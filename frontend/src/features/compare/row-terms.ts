import type {
  BreakEven,
  Comparison,
  DesignResult,
  DifferenceRow,
  FormulaTerm,
} from '../../lib/comparison';
import { range, rangeEnd } from '../../lib/format';
import { causeLabel } from '../../lib/tokens';
import { behindArray, behindTier } from './array-terms';
import { HORIZON, term, type Behind, type InputPlace, type OfRow } from './behind';
import { OF_GROUP } from './place-terms';

const RATE = '/assumptions/discount_fraction_per_year';
// As many inputs as there are sliders.
const MOST_INPUTS = 5;

function causes(
  design: DesignResult,
  amount: 'amount_usd' | 'npv_usd' | 'ranked_usd',
): FormulaTerm[] {
  return design.causes
    .filter((cause) => cause[amount] !== 0)
    .flatMap((cause) => term(cause.label, cause[amount], 'USD'));
}

function behindYear(design: DesignResult, year: number): Behind {
  const row = design.years.find((entry) => entry.year === year);
  const sideOf = (cause: string) =>
    design.causes.find((entry) => entry.cause === cause)?.side ?? 'owned';
  const parts = Object.entries(row?.causes ?? {})
    .filter(([, usd]) => usd !== 0)
    .flatMap(([cause, usd]) => term(causeLabel(sideOf(cause), cause), usd, 'USD'));
  return {
    terms: [
      ...term('Cash', row?.cash_usd, 'USD'),
      ...term('Capex', row?.capex_usd, 'USD'),
      ...term('Opex', row?.opex_usd, 'USD'),
      ...parts,
    ],
    note: 'Its causes follow.',
  };
}

function spanNote(low: number | null, high: number | null, unit: string): string {
  return low !== null && high !== null ? ` Range ${range(low, high, unit)}.` : '';
}

function behindEnergy({ energy }: DesignResult): Behind {
  const { low_kwh: low, high_kwh: high, reason, basis } = energy;
  const from = reason ?? (basis === 'modelled' ? 'From the power model.' : '');
  return { terms: [], note: `${from}${spanNote(low, high, 'kWh')}`.trim() };
}

function behindCarbon({ carbon }: DesignResult): Behind {
  const { low_kgco2e: low, high_kgco2e: high, reason, factors } = carbon;
  return {
    terms: [],
    note: `${reason ?? ''}${spanNote(low, high, 'kg CO2e')} ${factors ?? ''}`.trim(),
  };
}

function behindDowntime({ downtime }: DesignResult): Behind {
  return {
    terms: [
      ...term('Sites', downtime.sites_h_per_year, 'h/yr'),
      ...term('Provider', downtime.provider_h_per_year, 'h/yr'),
      ...term('Machines', downtime.machines_h_per_year, 'h/yr'),
    ],
    note: downtime.what ?? downtime.reason ?? undefined,
  };
}

const SPARE_INPUTS: Record<string, InputPlace[]> = {
  spare_cores_fraction: [
    '/workload/busy_cores_count',
    '/workload/p99_ratio',
    '/workload/headroom/cores_target_fraction',
  ],
  spare_ram_fraction: ['/workload/ram_gib', '/workload/headroom/ram_headroom_fraction'],
  spare_disk_fraction: ['/workload/block_tb', '/workload/headroom/disk_fill_fraction'],
};

const SPARE_WORDS: Record<string, string> = { ram: 'RAM', iops: 'IOPS', gpu: 'GPUs' };

/** What is needed, may be in use and is there, of the group and in the month shown. */
export function behindSpare(design: DesignResult, id?: string): Behind {
  const only = /^spare_([a-z]+)_/.exec(id ?? '')?.[1];
  const terms = Object.entries(design.spare.tightest ?? {})
    .filter(([resource]) => only === undefined || resource === only)
    .flatMap(([resource, { group, month, needed, limit_fraction: limit, there, unit }]) => {
      const word = SPARE_WORDS[resource] ?? resource;
      const of = group ? `${group}, ${word}` : word;
      return [
        ...term(`${of}: needed in month ${month}`, needed, unit),
        ...term(`${of}: limit`, limit, 'fraction'),
        ...term(`${of}: there`, there, unit),
      ];
    });
  const all = Object.values(SPARE_INPUTS).flat();
  return {
    terms,
    inputs: id ? (SPARE_INPUTS[id] ?? []) : all,
    note: design.binding.detail || `Constraint: ${design.binding.label}.`,
  };
}

/** The inputs with a range that move the answer most. */
export function rangedTerms(comparison: Comparison): FormulaTerm[] {
  return comparison.tornado
    .slice(0, MOST_INPUTS)
    .flatMap(({ label, low, high, unit, value, pointer }) =>
      term(
        `${label}, from ${range(low, high, unit, comparison.currency, rangeEnd)}`,
        value,
        unit,
        pointer,
      ),
    );
}

/** Of these inputs those of other designs are left out, where the design takes nothing of theirs. */
function ownTerms(design: DesignResult, comparison: Comparison): FormulaTerm[] {
  // What is rented where owned machines fall short is another design's.
  const takes =
    design.kind === 'hybrid' ||
    (design.kind !== 'cloud' && design.causes.some(({ side }) => side === 'rented'));
  if (takes) return rangedTerms(comparison);
  const shared = (pointer: string) => !pointer.startsWith('/designs/');
  const own = (pointer: string) => pointer.startsWith(`/designs/${design.letter}/`);
  const quantities = new Map(comparison.quantities.map(({ key, members }) => [key, members]));
  const bars = comparison.tornado.flatMap((bar) => {
    const members = quantities.get(bar.quantity) ?? [bar];
    const member = members.find(({ pointer }) => own(pointer) || shared(pointer));
    return member ? [{ ...bar, ...member }] : [];
  });
  return rangedTerms({ ...comparison, tornado: bars });
}

function drawn(design: DesignResult, comparison: Comparison): Behind {
  const count = comparison.odds?.draws_count;
  return {
    terms: [
      ...term('Mean', design.mean_usd, 'USD'),
      ...term('P10', design.p10_usd, 'USD'),
      ...term('P50', design.p50_usd, 'USD'),
      ...term('P90', design.p90_usd, 'USD'),
      ...ownTerms(design, comparison),
    ],
    note:
      count === undefined
        ? undefined
        : `From ${count.toLocaleString('en-GB')} simulations; the unknowns that move the answer most:`,
  };
}

/** The same figure of every design, and of how many simulations it is. */
function shares(word: string, unit: string): OfRow {
  return (_design, { odds, designs }, row) => ({
    terms: [
      ...designs.flatMap(({ letter }) => term(`${letter} ${word}`, row.values[letter], unit)),
      ...term('Simulations', odds?.draws_count, 'count'),
    ],
  });
}

/** By how much a design costs more than the cheapest of each simulation. */
function behindRegret({ letter, mean_usd: mean, regret_usd: regret }: DesignResult): Behind {
  const cheapest = mean == null || regret == null ? null : mean - regret;
  return {
    terms: [
      ...term(`Cost of ${letter}, mean`, mean, 'USD'),
      ...term('Cheapest of each simulation, mean', cheapest, 'USD'),
    ],
    note: 'The difference of the two means.',
  };
}

function rivalOf(design: DesignResult, comparison: Comparison): DesignResult | undefined {
  const letter = design.letter === comparison.winner ? comparison.runner_up : comparison.winner;
  return comparison.designs.find((entry) => entry.letter === letter);
}

/** When one design has cost less than another for good. */
export function behindEven(even: BreakEven): Behind {
  return {
    terms: [
      ...term('First whole month', even.first_month_cheaper, 'months'),
      // In tenths of a month, for the amount is that of the crossing, not of the month's end.
      ...term('Lines cross after, in months', even.exact_months, 'count'),
      ...term('Both have cost at the crossing', even.cost_usd, 'USD'),
      ...term('Crossings in all', even.crossings_count, 'count'),
    ],
    inputs: even.discounted ? [RATE, HORIZON] : [HORIZON],
    note: `${even.challenger} is held against ${even.incumbent}, ${even.discounted ? 'discounted' : 'undiscounted'}, ${even.basis === 'mean' ? 'mean of simulations' : 'as entered'}.`,
  };
}

/** What the plan held the cell against: the crossing, or without one both lines' ends. */
function paidOff(
  design: DesignResult,
  { break_evens: evens, designs }: Comparison,
  row: DifferenceRow,
): Behind {
  const pair = [design.letter, row.rivals?.[design.letter]];
  const even = evens.find(
    ({ challenger, incumbent, discounted }) =>
      discounted === row.id.includes('discounted') &&
      pair.includes(challenger) &&
      pair.includes(incumbent),
  );
  if (!even) return { terms: [] };
  const behind = behindEven(even);
  if (row.values[design.letter] != null) return behind;
  const entered = even.discounted ? 'cumulative_npv_usd' : 'cumulative_usd';
  const line = even.basis === 'mean' ? 'cumulative_ranked_usd' : entered;
  const terms = pair.flatMap((letter) => {
    const usd = designs.find((one) => one.letter === letter)?.[line] ?? [];
    return [
      ...term(`${letter}, cost at the start`, usd[0], 'USD'),
      ...term(`${letter}, cost at the end`, usd.at(-1), 'USD'),
    ];
  });
  return { ...behind, terms };
}

function behindReturn(design: DesignResult, comparison: Comparison): Behind {
  const rival = rivalOf(design, comparison);
  if (!rival) return { terms: [] };
  return {
    terms: [
      ...term(`${design.letter}, paid at the start`, design.cumulative_usd[0], 'USD'),
      ...term(`${rival.letter}, paid at the start`, rival.cumulative_usd[0], 'USD'),
      ...term(`${design.letter}, cost`, design.total_usd, 'USD'),
      ...term(`${rival.letter}, cost`, rival.total_usd, 'USD'),
    ],
    inputs: [HORIZON],
    note: `${design.letter} is held against ${rival.letter}.`,
  };
}

function behindService({ service }: DesignResult): Behind {
  if (!service) return { terms: [] };
  return {
    terms: [
      ...term('Nodes', service.nodes_count, 'nodes'),
      ...term('Of them serve', service.serving_nodes_count, 'nodes'),
      ...term('Queries', service.query_rate_per_s, '1/s'),
    ],
    inputs: ['query_rate_per_s', 'service_ms', 'latency_bound_ms'].map(
      (name) => `/workload/service/${name}`,
    ),
  };
}

function behindMemory({ memory, letter }: DesignResult): Behind {
  if (!memory) return { terms: [] };
  const place = (name: string) => `/designs/${letter}/node_groups/0/${name}`;
  return {
    terms: [
      ...term('Installed', memory.installed_gib, 'GiB'),
      ...term('Idle', memory.idle_gib, 'GiB'),
      ...term('Need not be bought', memory.spare_gib, 'GiB'),
    ],
    inputs: [place('ram_gib'), place('memory/used_gib'), place('memory/usd_per_gib')],
  };
}

const BEHIND: Record<string, OfRow> = {
  total_usd: (design) => ({ terms: causes(design, 'amount_usd'), inputs: [HORIZON] }),
  npv_usd: (design) => ({
    terms: causes(design, 'npv_usd'),
    inputs: [RATE],
    note: 'The present values of its causes.',
  }),
  eac_usd_per_year: (design, { horizon_months: months }) => ({
    terms: [...term('Present value', design.npv_usd, 'USD'), ...term('years', months / 12, 'yr')],
    inputs: [RATE, HORIZON],
  }),
  start_usd: (design) => ({
    terms: [
      ...term('Cumulative cost at month 0', design.cumulative_usd[0], 'USD'),
      ...term('Capex of year 1', design.years[0]?.capex_usd, 'USD'),
    ],
  }),
  irr_fraction: behindReturn,
  mirr_fraction: behindReturn,
  break_even_months: paidOff,
  break_even_discounted_months: paidOff,
  value_left_usd: () => ({ terms: [], inputs: [HORIZON, '/assumptions/end'] }),
  owed_after_horizon_usd: () => ({ terms: [], inputs: [HORIZON] }),
  energy_kwh: behindEnergy,
  carbon_kgco2e: behindCarbon,
  down_h_per_year: behindDowntime,
  mean_usd: (design, comparison) => ({
    ...drawn(design, comparison),
    terms: [...drawn(design, comparison).terms, ...causes(design, 'ranked_usd')],
  }),
  p10_usd: drawn,
  p50_usd: drawn,
  p90_usd: drawn,
  regret_usd: behindRegret,
  win_fraction: (design, comparison, row) => ({
    terms: [
      ...shares('costs least in', 'fraction')(design, comparison, row).terms,
      ...rangedTerms(comparison),
    ],
  }),
  near_fraction: shares('is within 1% of the cheapest in', 'fraction'),
  met_fraction: shares('meets demand in', 'fraction'),
  unmet_h_per_year: shares('is short of demand for', 'h/yr'),
};

/** What stands behind a cell of the difference table. */
export function behindRow(
  row: DifferenceRow,
  design: DesignResult,
  comparison: Comparison,
): Behind {
  const year = /^year_(\d+)/.exec(row.id)?.[1];
  if (year) return behindYear(design, Number(year));
  const known = BEHIND[row.id];
  if (known) return known(design, comparison, row);
  if (row.id.startsWith('spare')) return behindSpare(design, row.id);
  const group = /^[a-z]+/.exec(row.id)?.[0] ?? '';
  const grouped = OF_GROUP[group];
  if (grouped) return grouped(design, comparison, row);
  if (row.id.startsWith('array')) return behindArray(design, row.id);
  if (row.id.startsWith('tier')) return behindTier(design, row.id, row.label);
  if (row.id.startsWith('service')) return behindService(design);
  return row.id.startsWith('memory') ? behindMemory(design) : { terms: [] };
}
