import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Fault } from '../../../components/fault';
import { api, body } from '../../../lib/api';
import { read, type JsonObject } from '../../../lib/pointer';
import { NumberField } from '../frame/number-field';
import type { components } from '../../../api-types/schema';

export type StudyPurchase = components['schemas']['StudyPurchaseOutput'];

interface AgainProps {
  studyId: string;
  run: string;
  onParams: (params: JsonObject) => void;
}

/** Takes what a plan expected of its first months for what happened, to be corrected. */
export function Again({ studyId, run, onParams }: AgainProps) {
  const [passed, setPassed] = useState(3);
  const asked = useMutation({
    mutationFn: () =>
      body<StudyPurchase>(
        api.GET('/api/v1/studies/{study_id}/purchase-plan', {
          params: { path: { study_id: studyId }, query: { run, passed } },
        }),
      ),
    onSuccess: ({ params }) => onParams(params as JsonObject),
  });
  const others = asked.data && read(asked.data.params as JsonObject, '/demand/others');
  const isOfSeveral = Array.isArray(others) && others.length > 0;
  return (
    <>
      <NumberField label="Months passed" value={passed} low={1} whole onChange={setPassed} />
      <Button small disabled={asked.isPending} onClick={() => asked.mutate()}>
        Plan again from there
      </Button>
      <Fault of={asked} small />
      {asked.isSuccess && (
        <p className="small whole" aria-live="polite">
          Orders of the first {passed} months are taken as placed. Correct them and the demand under
          What happened{isOfSeveral && ', that of RAM under Demand'}, then press Plan.
        </p>
      )}
    </>
  );
}
