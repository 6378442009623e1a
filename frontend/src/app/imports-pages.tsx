import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ImportPage } from '../features/imports/components/import-page';
import { ImportsPage } from '../features/imports/components/imports-page';

const one = getRouteApi('/imports/$importId');

export function ImportsRoute() {
  const navigate = useNavigate();
  return (
    <ImportsPage
      onOpen={(importId) => void navigate({ to: '/imports/$importId', params: { importId } })}
    />
  );
}

export function ImportRoute() {
  const navigate = useNavigate();
  return (
    <ImportPage
      importId={one.useParams().importId}
      onAccepted={(studyId) =>
        void navigate({ to: '/studies/$studyId/designs', params: { studyId } })
      }
      onDeleted={() => void navigate({ to: '/imports' })}
    />
  );
}
