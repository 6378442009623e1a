import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { ComparePage } from '../../features/compare/components/compare-page';
import type { CompareSearch } from '../../features/compare/search';

const route = getRouteApi('/studies/$studyId/compare');

export function CompareRoute() {
  const { studyId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch = useCallback(
    (change: Partial<CompareSearch>) =>
      void navigate({
        search: (now) => ({ ...now, ...change }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return <ComparePage key={studyId} studyId={studyId} search={search} onSearch={onSearch} />;
}
