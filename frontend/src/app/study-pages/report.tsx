import { getRouteApi } from '@tanstack/react-router';
import { ReportPage } from '../../features/reports/components/report-page';

const route = getRouteApi('/studies/$studyId/report');

export function ReportRoute() {
  return <ReportPage studyId={route.useParams().studyId} />;
}
