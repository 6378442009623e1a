import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { DesignsPage } from '../../features/designs/components/designs-page';
import type { DesignsSearch } from '../../features/designs/search';

const route = getRouteApi('/studies/$studyId/designs');

export function DesignsRoute() {
  const { studyId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch = useCallback(
    (next: DesignsSearch) => void navigate({ search: next, replace: true, resetScroll: false }),
    [navigate],
  );
  return <DesignsPage key={studyId} studyId={studyId} search={search} onSearch={onSearch} />;
}
