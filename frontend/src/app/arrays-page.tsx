import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { ArraysSearch } from '../features/arrays/address';
import { ArraysPage } from '../features/arrays/components/arrays-page';

const route = getRouteApi('/tools/arrays');

export function ArraysRoute() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch = useCallback(
    (next: ArraysSearch) => void navigate({ search: next, replace: true, resetScroll: false }),
    [navigate],
  );
  return <ArraysPage search={search} onSearch={onSearch} />;
}
