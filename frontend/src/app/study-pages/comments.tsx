import { getRouteApi } from '@tanstack/react-router';
import { CommentsPage } from '../../features/comments/components/comments-page';

const route = getRouteApi('/studies/$studyId/comments');

export function CommentsRoute() {
  const { studyId } = route.useParams();
  const { about } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <CommentsPage
      key={studyId}
      studyId={studyId}
      about={about}
      onAbout={(next) => void navigate({ search: { about: next }, replace: true })}
    />
  );
}
