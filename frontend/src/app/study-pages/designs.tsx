import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { PlannedDrawing } from '../../features/arrays/components/planned-drawing';
import { CommitmentLevel } from '../../features/compare/components/commitment-level';
import { SavedAnswer } from '../../features/compare/components/saved-answer';
import { DesignsPage } from '../../features/designs/components/designs-page';
import { DesignDrawing } from '../../features/designs/drawing';
import type { DesignsSearch } from '../../features/designs/search';
import type { Design } from '../../lib/types';

const route = getRouteApi('/studies/$studyId/designs');

const commits = ({ kind, spec }: Design) =>
  kind === 'cloud' && Array.isArray(spec.commitments) && spec.commitments.length > 0;

function drawingOf(design: Design) {
  return (
    <>
      <PlannedDrawing letter={design.letter} spec={design.spec} />
      {commits(design) && <CommitmentLevel studyId={design.study} letter={design.letter} />}
    </>
  );
}

export function DesignsRoute() {
  const { studyId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch = useCallback(
    (next: DesignsSearch) => void navigate({ search: next, replace: true, resetScroll: false }),
    [navigate],
  );
  return (
    <DesignDrawing value={drawingOf}>
      <DesignsPage
        key={studyId}
        studyId={studyId}
        search={search}
        onSearch={onSearch}
        answer={<SavedAnswer studyId={studyId} />}
      />
    </DesignDrawing>
  );
}
