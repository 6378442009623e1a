import type { CauseCost, DesignResult, DifferenceRow, FormulaTerm } from '../../lib/comparison';
import { exact, money, quantity, range, type Currency } from '../../lib/format';
import { causeLabel } from '../../lib/tokens';
import type { Explanation } from './components/explain';

function causeTerms(design: DesignResult): FormulaTerm[] {
  return design.causes
    .filter((cause) => cause.amount_usd !== 0)
    .map((cause) => ({
      name: cause.label,
      value: cause.amount_usd,
      unit: 'USD',
      pointer: null,
    }));
}

export function explainCause(
  design: DesignResult,
  cause: CauseCost,
  currency: Currency,
): Explanation {
  return {
    title: `${cause.label}, ${design.letter}`,
    value: money(cause.amount_usd, currency),
    exact: exact(cause.amount_usd, 'USD'),
    formula: cause.formula,
    terms: cause.terms,
  };
}

function yearTerms(design: DesignResult, year: number): FormulaTerm[] {
  const row = design.years.find((entry) => entry.year === year);
  const sideOf = (cause: string) =>
    design.causes.find((entry) => entry.cause === cause)?.side ?? 'owned';
  return Object.entries(row?.causes ?? {})
    .filter(([, usd]) => usd !== 0)
    .map(([cause, usd]) => ({
      name: causeLabel(sideOf(cause), cause),
      value: usd,
      unit: 'USD',
      pointer: null,
    }));
}

interface Behind {
  terms?: FormulaTerm[];
  note?: string;
}

function behindEnergy(design: DesignResult): Behind {
  const { low_kwh: low, high_kwh: high, reason, basis } = design.energy;
  const span = low !== null && high !== null ? ` Range ${range(low, high, 'kWh')}.` : '';
  const terms = Object.entries(design.energy_by_cause_kwh).map(([cause, kwh]) => ({
    name: causeLabel('owned', cause),
    value: kwh,
    unit: 'kWh',
    pointer: null,
  }));
  return {
    terms,
    note: `${reason ?? (basis === 'modelled' ? 'From the power model.' : '')}${span}`,
  };
}

function behindCarbon(design: DesignResult): Behind {
  const { low_kgco2e: low, high_kgco2e: high, reason } = design.carbon;
  const span = low !== null && high !== null ? ` Range ${range(low, high, 'kg CO2e')}.` : '';
  const term = (name: string, value: number | null): FormulaTerm[] =>
    value === null ? [] : [{ name, value, unit: 'kg CO2e', pointer: null }];
  return {
    terms: [
      ...term('Operation', design.carbon.operational_kgco2e),
      ...term('Making the hardware', design.carbon.embodied_kgco2e),
    ],
    note: `${reason ?? ''}${span}`.trim() || undefined,
  };
}

function behind(id: string, design: DesignResult): Behind {
  const year = /^year_(\d+)/.exec(id)?.[1];
  if (year) return { terms: yearTerms(design, Number(year)) };
  if (id.startsWith('total')) return { terms: causeTerms(design), note: 'The sum of its causes.' };
  if (id.startsWith('energy')) return behindEnergy(design);
  if (id.startsWith('carbon')) return behindCarbon(design);
  if (id.startsWith('spare')) {
    return { note: design.binding.detail ?? `${design.binding.label} binds.` };
  }
  return {};
}

// Figures whose formula the plan writes down under another name.
const FORMULA_OF: Record<string, string> = {
  npv_usd: 'npv',
  break_even_months: 'break_even',
  break_even_discounted_months: 'break_even',
  win_fraction: 'odds',
  array_mean_w: 'array_power',
  array_response_mean_ms: 'array_response',
  service_serving_nodes_count: 'service',
};

/** What stands behind a cell of the difference table. */
export function explainRow(
  row: DifferenceRow,
  design: DesignResult,
  currency: Currency,
): Explanation {
  const value = row.values[design.letter] ?? null;
  const reason = row.reasons[design.letter];
  const { terms = [], note } = behind(row.id, design);
  return {
    title: `${row.label}, ${design.letter}`,
    value: quantity(value, row.unit, currency),
    exact: value === null ? undefined : exact(value, row.unit),
    formula: FORMULA_OF[row.id],
    terms,
    note: [value === null ? reason : undefined, note].filter(Boolean).join(' ') || undefined,
  };
}
