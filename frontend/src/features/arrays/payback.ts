import { percent, quantity } from '../../lib/format';
import { noClosedForm } from './closed-form';
import type { InstantResult } from './result';
import type { ArraysState, Drive, Entry, Replaced } from './types';

/** No drive is kept in service as long; past it, electricity is not the reason to swap. [yr] */
const LONGEST_SERVICE_YEARS = 10;

type Asked = Pick<ArraysState, 'workload' | 'recorded'>;
type Swap = Pick<
  InstantResult,
  'saved_w' | 'saved_usd_per_year' | 'payback_years' | 'always_on_w' | 'one_awake_w'
>;

const costOf = (drive: Drive, count: number) =>
  drive.price_usd > 0 ? count * drive.price_usd : null;

export function replacedText({ drive, disks_count: count }: Replaced): string {
  return count === 1 ? drive.name : `${count} × ${drive.name}`;
}

function moreWatts(saved: number, old: string): string {
  if (Math.abs(saved) < 0.005) return `uses as much power as ${old}`;
  return `uses ${quantity(-saved, 'W')} more than ${old}`;
}

function fewerWatts(swap: Swap, saved: number, old: string): string {
  const power = swap.one_awake_w ?? swap.always_on_w;
  const share = percent(saved / (saved + power));
  return `saves ${quantity(saved, 'W')} (${share}) over ${old}`;
}

function paidBack(years: number, extra: number): string {
  const drives = `its drives cost ${quantity(extra, 'USD')} more`;
  const text = `${drives}: electricity alone pays that back in ${quantity(years, 'yr')}`;
  return years <= LONGEST_SERVICE_YEARS
    ? `${text}.`
    : `${text}. The case for the swap is the density of power and cooling.`;
}

function costText({ array, replaces }: Entry, swap: Swap): string {
  if (!replaces) return '';
  const next = costOf(array.drive, array.layout.disks_count);
  const old = costOf(replaces.drive, replaces.disks_count);
  const unpriced = next === null ? array.drive : replaces.drive;
  if (next === null || old === null)
    return `The price of ${unpriced.name} is not known: enter it for the time to pay back.`;
  const extra = next - old;
  const { payback_years: years } = swap;
  if (extra <= 0) return `Its drives cost ${quantity(-extra, 'USD')} less.`;
  if (years === null)
    return `Its drives cost ${quantity(extra, 'USD')} more, which electricity never pays back.`;
  return sentence(paidBack(years, extra));
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** What an array saves over the drives that it replaces, and when electricity has paid it back. */
export function paybackText(entry: Entry, swap: Swap | undefined, state: Asked): string | null {
  if (!entry.replaces) return null;
  const none = noClosedForm(entry.array, state);
  if (none) return `What the swap saves is known in closed form only. ${none}`;
  if (!swap || swap.saved_w === null || swap.saved_usd_per_year === null) return null;
  const old = replacedText(entry.replaces);
  if (swap.saved_w <= 0.005)
    return `${sentence(moreWatts(swap.saved_w, old))}. ${costText(entry, swap)}`;
  const yearly = `${quantity(swap.saved_usd_per_year, 'USD')} a year`;
  return `${sentence(fewerWatts(swap, swap.saved_w, old))}, ${yearly}. ${costText(entry, swap)}`;
}
