import { answerQueryOptions } from '../../../lib/answers';
import type { Science } from '../../../lib/science';
import { allResponses, type Answered } from '../result';

export type Verdict = Science['storage.array_verdict.Result'];

/** What the runs of arrays say side by side: in one or two sentences, and as figures. */
export const verdictQueryOptions = (rows: readonly Answered[]) =>
  answerQueryOptions<Verdict, Verdict>(
    'storage.array_verdict',
    rows.length === 0
      ? null
      : {
          arrays: rows.map(({ letter, title, result }) => ({
            letter,
            title,
            power_w: result.power_w,
            wear: result.wear,
            p95_ms: allResponses(result)?.p95_ms ?? null,
            energy_usd_per_year: result.per_year?.energy_usd_per_year ?? 0,
            capital_usd_per_year: result.per_year?.capital_usd_per_year ?? null,
            withheld: result.withheld,
            // What a run is drawn as alone is not drawn here.
            result: JSON.stringify({ ...result, figures: [] }),
          })),
        },
    ({ result }) => result,
  );
