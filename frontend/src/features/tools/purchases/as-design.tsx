import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { components } from '../../../api-types/schema';
import { Button } from '../../../components/button';
import { DesignBadge } from '../../../components/design-badge';
import { Fault } from '../../../components/fault';
import { Rich } from '../../../components/rich';
import { ToldTables } from '../../../components/told/told-tables';
import type { Told } from '../../../components/told/told';
import { api, body } from '../../../lib/api';
import { studyKey } from '../../../lib/studies';

type Planned = components['schemas']['PlannedDesignOutput'];
type PlannedCost = components['schemas']['PlannedCostOutput'];

/** What a plan costs by the comparison beside its own figure, and a way to make it a design. */
export function AsDesign({ studyId, run }: { studyId: string; run: string }) {
  const client = useQueryClient();
  const cost = useQuery({
    queryKey: [...studyKey(studyId), 'planned cost', run],
    queryFn: () =>
      body<PlannedCost>(
        api.GET('/api/v1/studies/{study_id}/designs/planned', {
          params: { path: { study_id: studyId }, query: { run } },
        }),
      ),
    retry: false,
  });
  const add = useMutation({
    mutationFn: () =>
      body<Planned>(
        api.POST('/api/v1/studies/{study_id}/designs/planned', {
          params: { path: { study_id: studyId } },
          body: { run },
        }),
      ),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: studyKey(studyId) }),
        client.invalidateQueries({ queryKey: ['studies'] }),
      ]),
  });
  const held = (add.data ?? cost.data)?.held as Told | undefined;
  return (
    <>
      <Button small icon="plus" disabled={add.isPending} onClick={() => add.mutate()}>
        {add.isPending ? 'Adding …' : 'Add as a design'}
      </Button>
      <Fault of={add} small />
      <Fault of={cost} small />
      {held && (
        <div className="stack gap-8 whole" aria-live="polite">
          <p>
            {add.data && (
              <>
                <DesignBadge letter={add.data.design.letter} /> {add.data.design.title} is a design
                of the study.{' '}
              </>
            )}
            <Rich text={held.headline} />{' '}
            {add.data && (
              <Link to="/studies/$studyId/compare" params={{ studyId }}>
                Compare
              </Link>
            )}
          </p>
          <details>
            <summary>Cost by cause, beside the comparison</summary>
            <ToldTables tables={held.tables ?? []} />
          </details>
        </div>
      )}
    </>
  );
}
