import type { Arrivals } from './types';

/** The same arrivals at another rate than the one they have now; a closed loop is left as it is. */
export function atRate(arrivals: Arrivals, rate: number, now: number | null): Arrivals {
  if (arrivals.kind === 'closed' || !(rate > 0)) return arrivals;
  if (arrivals.kind !== 'mmpp') return { ...arrivals, mean_ms: 1000 / rate };
  const slower = (now ?? rate) / rate;
  const { quiet_mean_ms, busy_mean_ms } = arrivals;
  return {
    ...arrivals,
    quiet_mean_ms: quiet_mean_ms * slower,
    busy_mean_ms: busy_mean_ms * slower,
  };
}
