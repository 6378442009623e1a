import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { isTool, type ToolSearch } from '../features/tools/search';
import { ToolPage, ToolsPage } from '../features/tools/tools-page';

const route = getRouteApi('/tools/$tool');

export const ToolsRoute = ToolsPage;

export function ToolRoute() {
  const { tool } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch = useCallback(
    (change: Partial<ToolSearch>) =>
      void navigate({
        search: (now) => ({ ...now, ...change }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return isTool(tool) ? (
    <ToolPage key={tool} tool={tool} search={search} onSearch={onSearch} />
  ) : null;
}
