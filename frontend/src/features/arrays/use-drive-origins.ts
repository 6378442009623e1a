import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { originOf } from '../../components/form/fill';
import { entriesQueryOptions } from '../../lib/catalogue';
import type { Provenance } from '../../lib/types';
import type { Drive } from './types';

/** Where the figures of a drive come from: the catalogue's entry of its name, where they agree. */
export function useDriveOrigins(drive: Drive): Provenance {
  const query = useInfiniteQuery(entriesQueryOptions({ kind: 'drive', q: drive.name }));
  const entries = query.data?.pages.flatMap(({ results }) => results);
  const entry = entries?.find(({ title }) => title === drive.name);
  return useMemo(() => {
    if (!entry) return {};
    const held = Object.entries(drive).flatMap(([key, value]) => {
      const known = entry.values[key];
      return known && known.value === value ? [[`/${key}`, originOf(entry, known)] as const] : [];
    });
    return Object.fromEntries(held);
  }, [entry, drive]);
}
