import { getRouteApi } from '@tanstack/react-router';
import { ExplorePage } from '../../features/designs/components/explore-page';

const route = getRouteApi('/studies/$studyId/catalogue');

export function ExploreRoute() {
  const { studyId } = route.useParams();
  return <ExplorePage key={studyId} studyId={studyId} />;
}
