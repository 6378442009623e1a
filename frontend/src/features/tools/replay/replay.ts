import type { Science } from '../../../lib/science';

export const DAY_MODEL = 'consolidation.dynamic';

export type Replay = Science['consolidation.dynamic.Result'];
export type Day = Science['consolidation.dynamic.DayResult'];

/** Energy since the start at each point; thinned series still end at the day's energy. */
export function cumulated(day: Day): number[] {
  let sum = 0;
  const sums = day.series.map((point) => (sum += point.energy_kwh));
  const scale = sum > 0 ? day.energy_kwh / sum : 1;
  return sums.map((value) => value * scale);
}
