import { useMutation, useQueryClient } from '@tanstack/react-query';
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

/** Puts a plan among the study's designs, and says what it costs by the comparison. */
export function AsDesign({ studyId, run }: { studyId: string; run: string }) {
  const client = useQueryClient();
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
  const { data } = add;
  const held = data?.held as Told | undefined;
  return (
    <>
      <Button small icon="plus" disabled={add.isPending} onClick={() => add.mutate()}>
        {add.isPending ? 'Adding …' : 'Add as a design'}
      </Button>
      <Fault of={add} small />
      {data && held && (
        <div className="stack gap-8 whole" aria-live="polite">
          <p>
            <DesignBadge letter={data.design.letter} /> {data.design.title} is a design of the
            study. <Rich text={held.headline} />{' '}
            <Link to="/studies/$studyId/compare" params={{ studyId }}>
              Compare
            </Link>
          </p>
          <ToldTables tables={held.tables ?? []} />
        </div>
      )}
    </>
  );
}
