import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { writeState } from '../features/arrays/address';
import { stateOfDrive } from '../features/arrays/presets';
import { stateOfTrace } from '../features/arrays/recorded';
import { TracePage } from '../features/traces/components/trace-page';
import { TracesPage } from '../features/traces/components/traces-page';

const trace = getRouteApi('/traces/$traceId');

export function TracesRoute() {
  const navigate = useNavigate();
  return (
    <TracesPage
      onOpen={(traceId) => void navigate({ to: '/traces/$traceId', params: { traceId } })}
    />
  );
}

export function TraceRoute() {
  const navigate = useNavigate();
  return (
    <TracePage
      traceId={trace.useParams().traceId}
      onDeleted={() => void navigate({ to: '/traces' })}
      onSimulate={(found) =>
        void navigate({
          to: '/tools/arrays',
          search: { s: writeState(stateOfTrace(found)), run: true },
        })
      }
      onUseDrive={(drive, asked) =>
        void navigate({
          to: '/tools/arrays',
          search: { s: writeState(stateOfDrive(drive, asked)) },
        })
      }
    />
  );
}
