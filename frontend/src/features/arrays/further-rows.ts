import { quantity } from '../../lib/format';
import type { ArrayResult } from './result';
import type { Column } from './column';

function longestQueue({ devices }: ArrayResult): { value: number | null; note?: string } {
  const known = devices.flatMap(({ name, mean_queue_count: mean, max_queue_count: most }) =>
    mean === undefined ? [] : [{ name, mean, most }],
  );
  const [longest] = known.sort((a, b) => b.mean - a.mean);
  if (!longest) return { value: null };
  return { value: longest.mean, note: `${longest.name}, at most ${longest.most}` };
}

function loadsPerDay({ devices, duration_s }: ArrayResult): number | null {
  const counts = devices.flatMap((device) => device.load_unloads_count ?? []);
  const most = Math.max(0, ...counts);
  return most > 0 ? (most * 86_400) / Math.max(duration_s, 1e-9) : null;
}

function yearlyCost({ per_year: year }: ArrayResult): { value: number | null; note?: string } {
  if (!year) return { value: null };
  const energy = quantity(year.energy_usd_per_year, 'USD');
  if (year.capital_usd_per_year === null) {
    return { value: null, note: `Energy ${energy}; the price of a drive is not entered.` };
  }
  return {
    value: year.energy_usd_per_year + year.capital_usd_per_year,
    note: `energy ${energy}, drives ${quantity(year.capital_usd_per_year, 'USD')}`,
  };
}

/** Queues, loads of the heads, dollars and time to a loss: answers of earlier versions lack them. */
export const FURTHER: readonly Column[] = [
  {
    id: 'queue',
    label: 'Longest queue of a drive, mean',
    unit: 'count',
    lowerIsBetter: true,
    read: longestQueue,
  },
  {
    id: 'loads',
    label: 'Head loads of a day, most of a drive',
    unit: 'count',
    lowerIsBetter: true,
    read: (result) => ({ value: loadsPerDay(result) }),
  },
  {
    id: 'usd_per_year',
    label: 'Energy and drives of a year',
    unit: 'USD',
    lowerIsBetter: true,
    read: yearlyCost,
  },
  {
    id: 'mttdl',
    label: 'Mean time to data loss from failures of whole disks',
    unit: 'yr',
    lowerIsBetter: false,
    read: ({ per_year: year }) => ({ value: year?.mttdl_years ?? null }),
  },
];
