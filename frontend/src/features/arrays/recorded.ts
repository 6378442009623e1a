import { figureOf, traceRef, type Trace } from '../../lib/traces';
import { entryOf, FIRST_STATE, LETTERS, presetOf } from './presets';
import type { ArrayDesign, ArraysState, Entry, Recorded } from './types';

/** A trace of the workspace as the requests of the page, at the recorded times. */
export function recordedOf(trace: Trace): Recorded {
  return {
    trace: traceRef(trace),
    title: trace.title,
    requests_count: trace.rows_count ?? 0,
    rate_per_s: figureOf(trace, 'rate_per_s'),
    replay: {},
  };
}

/** Arrays of drives that are on sale. */
const TODAY = ['nvme', 'hybrid'];

/** What a cache answers is found from the requests themselves. */
function withSimulatedHits(array: ArrayDesign): ArrayDesign {
  return array.cache ? { ...array, cache: { ...array.cache, hit_fraction: null } } : array;
}

function entriesOfToday(): Entry[] {
  return TODAY.map(presetOf).map((preset, at) => ({
    ...entryOf(preset, LETTERS[at] ?? 'A'),
    array: withSimulatedHits(preset.array),
  }));
}

/** The page with arrays of today under the requests of a trace. */
export function stateOfTrace(trace: Trace): ArraysState {
  return { ...FIRST_STATE, entries: entriesOfToday(), recorded: recordedOf(trace) };
}
