import { getRouteApi } from '@tanstack/react-router';
import { NewStudyPage } from '../features/studies/components/new-study-page';

const route = getRouteApi('/studies/new');

export function NewStudyRoute() {
  return <NewStudyPage search={route.useSearch()} />;
}
