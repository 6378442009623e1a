import type { Arrivals, Workload } from './types';

/** Requests of a second on average; none in a closed loop, where the array sets the pace. */
export function arrivalRate(workload: Workload): number | null {
  const { arrivals } = workload;
  if (arrivals.kind === 'closed') return null;
  if (arrivals.kind !== 'mmpp') return 1000 / arrivals.mean_ms;
  const stays = arrivals.quiet_stay_ms + arrivals.busy_stay_ms;
  const requests =
    arrivals.quiet_stay_ms / arrivals.quiet_mean_ms + arrivals.busy_stay_ms / arrivals.busy_mean_ms;
  return stays > 0 ? (1000 * requests) / stays : null;
}

/** The same arrivals at another mean rate; a closed loop is left as it is. */
export function atRate(arrivals: Arrivals, rate: number): Arrivals {
  if (arrivals.kind === 'closed' || !(rate > 0)) return arrivals;
  if (arrivals.kind !== 'mmpp') return { ...arrivals, mean_ms: 1000 / rate };
  const now = arrivalRate({ arrivals } as Workload) ?? rate;
  const { quiet_mean_ms, busy_mean_ms } = arrivals;
  return {
    ...arrivals,
    quiet_mean_ms: (quiet_mean_ms * now) / rate,
    busy_mean_ms: (busy_mean_ms * now) / rate,
  };
}
