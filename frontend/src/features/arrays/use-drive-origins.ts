import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { entriesQueryOptions } from '../../lib/catalogue';
import type { Provenance } from '../../lib/types';
import { originsOf } from './drive-origins';
import type { Drive } from './types';

/** Where the figures of a drive come from: the catalogue's entry of its name, where they agree. */
export function useDriveOrigins(drive: Drive): Provenance {
  const query = useInfiniteQuery(entriesQueryOptions({ kind: 'drive', q: drive.name }));
  const entries = query.data?.pages.flatMap(({ results }) => results);
  // An entry may say its year besides.
  const entry = entries?.find(
    ({ title }) => title === drive.name || title.startsWith(`${drive.name} (`),
  );
  return useMemo(() => (entry ? originsOf(entry, drive) : {}), [entry, drive]);
}
