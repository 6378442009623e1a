import { NewStudyPage } from '../features/studies/components/new-study-page';

export const NewStudyRoute = NewStudyPage;
