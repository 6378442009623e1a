import { answerQueryOptions } from '../../../lib/answers';
import { instantParams } from '../closed-form';
import type { InstantResult } from '../result';
import type { ArraysState, Entry } from '../types';

const INSTANT = 'storage.array_instant';

type Surroundings = Pick<ArraysState, 'workload' | 'recorded' | 'site'>;

/** The closed form of an array: asked again as one types, the last answer stays meanwhile. */
export const instantQueryOptions = (entry: Entry, state: Surroundings) =>
  answerQueryOptions<InstantResult, InstantResult>(
    INSTANT,
    instantParams(entry, state),
    ({ result }) => result,
  );
