import { answerQueryOptions } from '../../../lib/answers';
import type { Science } from '../../../lib/science';
import { allResponses, type Answered } from '../result';

/** What the runs of arrays say side by side, in one or two sentences. */
export const verdictQueryOptions = (rows: readonly Answered[]) =>
  answerQueryOptions<Science['storage.array_verdict.Result'], string>(
    'storage.array_verdict',
    rows.length === 0
      ? null
      : {
          arrays: rows.map(({ letter, result }) => ({
            letter,
            power_w: result.power_w,
            wear: result.wear,
            p95_ms: allResponses(result)?.p95_ms ?? null,
            energy_usd_per_year: result.per_year?.energy_usd_per_year ?? 0,
            capital_usd_per_year: result.per_year?.capital_usd_per_year ?? null,
            withheld: result.withheld,
          })),
        },
    ({ result }) => result.headline,
  );
