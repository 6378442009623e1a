import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { PurchasesTool } from '../../features/tools/purchases/purchases-tool';
import type { ToolSearch } from '../../features/tools/search';

const route = getRouteApi('/studies/$studyId/plan');

export function PlanRoute() {
  const { studyId } = route.useParams();
  const { s } = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch = useCallback(
    (change: Partial<ToolSearch>) =>
      void navigate({
        search: (now) => ({ ...now, ...('s' in change && { s: change.s }) }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return (
    <div className="stack gap-16">
      <PurchasesTool tool="purchases" search={{ study: studyId, s }} onSearch={onSearch} />
    </div>
  );
}
