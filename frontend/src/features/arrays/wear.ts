import { months, quantity, significant } from '../../lib/format';
import type { ArrayResult, DeviceUse, FlashUse } from './result';
import type { ArrayDesign } from './types';

const DAY_S = 86_400;
const DAYS_PER_YEAR = 365;
/** Past it no one asks. */
const LONGEST_YEARS = 100;

export const WEAR_UNKNOWN = 'wear unknown until simulated';

function isFlash(device: DeviceUse): boolean {
  return device.write_amplification_ratio != null || device.name === 'cache';
}

function count(value: number): string {
  const shown = value < 10 ? Number(value.toPrecision(2)) : Math.round(value);
  return shown.toLocaleString('en-GB');
}

/** What one device takes of its rating in a day; the rating is what those days add up to. */
function amountOf(device: DeviceUse, duration_s: number, years: number): string {
  const days = Math.max(duration_s, 1e-9) / DAY_S;
  if (isFlash(device)) {
    const daily = device.written_tb / days;
    const more = device.write_amplification_ratio ?? 1;
    const text = `${quantity(daily * 1e12, 'B')} written a day`;
    if (more > 1.005) return `${text}, ${significant(more)} times that on flash`;
    const rated = daily * DAYS_PER_YEAR * years;
    return `${text} of ${quantity(rated * 1e12, 'B')} rated`;
  }
  const daily = device.spin_ups_count / days;
  const rated = Number((daily * DAYS_PER_YEAR * years).toPrecision(3));
  return `${count(daily)} start-stops a day of ${rated.toLocaleString('en-GB')} rated`;
}

/** A time in service: 12 days, 5 months, 3 yr. */
export function lifeText(years: number): string {
  if (years > LONGEST_YEARS) return `more than ${LONGEST_YEARS} yr`;
  if (years >= 3) return quantity(years, 'yr');
  if (years >= 0.25) return months(years * 12);
  return quantity(years * DAYS_PER_YEAR, 'days');
}

/** The device whose rating is used up first. */
export function mostWorn({ devices }: ArrayResult): { device: DeviceUse; years: number } | null {
  const known = devices.flatMap((device) => {
    const years = device.years_to_rating_years;
    return years === null ? [] : [{ device, years }];
  });
  return known.sort((a, b) => a.years - b.years)[0] ?? null;
}

/** Why no device of a run has worn, or why it is not known. */
function unworn({ devices }: ArrayResult): string {
  const written = devices.some((device) => isFlash(device) && device.written_tb > 0);
  if (written) return 'wear unknown: the drive has no rated writes';
  return devices.every(isFlash) ? 'nothing written' : 'no start-stops';
}

/** What a run's energy costs in wear, of the drive that is worn first, as half a sentence. */
export function wearText(result: ArrayResult): string {
  const most = mostWorn(result);
  if (most === null) return unworn(result);
  const amount = amountOf(most.device, result.duration_s, most.years);
  return `${amount}, worn in ${lifeText(most.years)}`;
}

/** The same in a few words. */
export function wearShort(result: ArrayResult): string {
  const most = mostWorn(result);
  if (most === null) return unworn(result);
  return most.years > LONGEST_YEARS ? 'hardly worn' : `worn in ${lifeText(most.years)}`;
}

function flashText(flash: FlashUse): string {
  const { drive_writes_per_day: daily, wear_years: years } = flash;
  if (daily === 0) return 'nothing written';
  const written = `${significant(daily)} drive writes a day`;
  if (years === null) return `${written}; the drive has no rated writes`;
  return `${written}, worn in ${lifeText(years)} by closed form`;
}

interface PlanWear {
  wear_years: number | null;
}

/** What is known of an array's wear: by its run, else in closed form. */
export function wearOf(
  array: ArrayDesign,
  result: ArrayResult | undefined,
  plan: PlanWear | null,
  flash: FlashUse | null = null,
): string {
  if (result) return wearText(result);
  if (flash) return flashText(flash);
  if (plan?.wear_years != null) return `worn in ${lifeText(plan.wear_years)} by closed form`;
  const spins = array.drive.kind === 'hdd' && array.timeouts === null && array.cache === null;
  return spins ? 'no start-stops: its disks always spin' : WEAR_UNKNOWN;
}
