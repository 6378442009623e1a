import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { ExplorePage } from '../../features/explore/components/explore-page';
import type { ExploreSearch } from '../../features/explore/search';

const route = getRouteApi('/studies/$studyId/explore');

export function ExploreRoute() {
  const { studyId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch = useCallback(
    (change: Partial<ExploreSearch>) =>
      void navigate({
        search: (now) => ({ ...now, ...change }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return <ExplorePage key={studyId} studyId={studyId} search={search} onSearch={onSearch} />;
}
