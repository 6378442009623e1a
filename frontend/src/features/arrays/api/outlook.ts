import { answerQueryOptions } from '../../../lib/answers';
import type { Outlook } from '../result';
import type { ArraysState, Entry } from '../types';

export const OUTLOOK = 'storage.array_outlook';

type Surroundings = Pick<ArraysState, 'workload' | 'recorded' | 'site'>;

/** What can be said of an array at once: asked again as one types. */
export const outlookQueryOptions = ({ array, replaces }: Entry, state: Surroundings) =>
  answerQueryOptions<Outlook, Outlook>(
    OUTLOOK,
    {
      array,
      workload: state.workload,
      recorded: state.recorded !== null,
      replaces,
      energy_usd_per_kwh: state.site.usd_per_kwh,
    },
    ({ result }) => result,
  );
