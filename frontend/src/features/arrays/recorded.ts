import { figureOf, traceRef, type Trace } from '../../lib/traces';
import { entryOf, FIRST_STATE, LETTERS, TRACED } from './presets';
import type { ArraysState, Recorded } from './types';

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

/** The page with arrays of today under the requests of a trace. */
export function stateOfTrace(trace: Trace): ArraysState {
  const entries = TRACED.map((preset, at) => entryOf(preset, LETTERS[at] ?? 'A'));
  return { ...FIRST_STATE, entries, recorded: recordedOf(trace) };
}
