import { percent } from '../../lib/format';
import { words } from '../../lib/schema';
import type { Answered, ArrayResult } from './result';

const WARNINGS: Record<string, string> = {
  few_requests:
    'has answered fewer than 10,000 requests: they say little of the slowest, and p99 and p99.9 are withheld.',
  trace_folded:
    'is smaller than what the trace reaches: addresses past its end are folded back onto it.',
};

function stoppedText(result: ArrayResult): string {
  const { mean_interval_low_ms: low, mean_interval_high_ms: high, requests_count } = result;
  const after = `stopped early, after ${requests_count.toLocaleString('en-GB')} requests`;
  if (low === null || high === null || low + high <= 0)
    return `${after}: the mean is known well enough.`;
  return `${after}: the mean is known to ± ${percent((high - low) / (high + low))}.`;
}

/** What a reader of a run's figures has to know beside them, a sentence each. */
export function notesOf({ letter, result }: Answered): string[] {
  const stopped = result.stopped_early ? [stoppedText(result)] : [];
  // That an array cannot keep up is said in the answer at the top.
  const warned = result.warnings
    .filter((warning) => warning !== 'saturated')
    .map((warning) => WARNINGS[warning] ?? `${words(warning).toLowerCase()}.`);
  return [...stopped, ...warned].map((text) => `${letter} ${text}`);
}
