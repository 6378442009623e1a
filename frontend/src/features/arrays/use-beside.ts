import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { messageOf } from '../../lib/problem';
import { designQueryOptions, type StudyDesign } from './api/design';
import type { ArrayResult } from './result';
import { BESIDE, type Beside } from './table-rows';
import type { ArraysState } from './types';

export interface Planned {
  /** As a study has the array; nothing before an answer of what is entered now. */
  design: StudyDesign | null;
  figures: StudyDesign['figures'];
  /** Why there are none. */
  reason: string | null;
  /** Whether disks are lost: the plan counts with every one at work. */
  degraded: boolean;
  /** Whether the drive has a price: without one there is no cost to speak of. */
  priced: boolean;
}

/** What the plan says of each array, by letter; with a run's findings where there are any. */
export function usePlanned(
  state: ArraysState,
  results: ReadonlyMap<string, ArrayResult | undefined>,
): Map<string, Planned> {
  const queries = useQueries({
    queries: state.entries.map(({ letter, array }) =>
      designQueryOptions(array, state, results.get(letter)),
    ),
    combine: pickAnswers,
  });
  return useMemo(
    () =>
      new Map(
        state.entries.map(({ letter, array }, at) => {
          const query = queries[at];
          const refused = query?.error ? messageOf(query.error) : null;
          const said = refused === null ? (query?.data ?? null) : null;
          const design = query?.isPlaceholderData ? null : said;
          const reason = refused ?? said?.why_no_figures ?? null;
          const degraded = array.layout.failed_disk_count > 0;
          const priced = array.drive.price_usd > 0;
          return [letter, { design, figures: said?.figures ?? null, reason, priced, degraded }];
        }),
      ),
    [state.entries, queries],
  );
}

interface Answer {
  data: StudyDesign | undefined;
  isPlaceholderData: boolean;
  error: unknown;
}

/** Only what is read of the queries: the same list while none of it changes. */
function pickAnswers(queries: readonly Answer[]): Answer[] {
  return queries.map(({ data, isPlaceholderData, error }) => ({ data, isPlaceholderData, error }));
}

type Key = 'usable_tb' | 'usd_per_tb_year' | 'kgco2e_per_tb_year' | 'loss_fraction_per_year';

function figureOf({ figures, reason, priced, degraded }: Planned, key: Key) {
  if (key === 'loss_fraction_per_year' && degraded) {
    return { value: null, reason: 'Disks are lost: see the mean time to data loss.' };
  }
  if (key === 'usd_per_tb_year' && !priced) {
    return { value: null, reason: 'The price of the drive is not known: enter it.' };
  }
  return { value: figures?.[key] ?? null, reason: reason ?? figures?.reasons[key] ?? null };
}

/** The plan's figures as rows of the table of results take them. */
export function besideOf(planned: ReadonlyMap<string, Planned>): Beside[] {
  return [...planned].map(([letter, known]) => ({
    letter,
    figures: Object.fromEntries(BESIDE.map(({ id }) => [id, figureOf(known, id as Key)])),
  }));
}
