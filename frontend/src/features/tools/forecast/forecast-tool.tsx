import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { Button } from '../../../components/button';
import { Select } from '../../../components/control';
import { messageOf } from '../../../lib/problem';
import type { Science } from '../../../lib/science';
import { useMayEdit } from '../../../lib/session';
import { FORECAST_MODEL, useTakeGrowth, type Growing } from '../../../lib/tool-runs';
import { ModelTool, type Answered } from '../frame/model-tool';
import styles from '../frame/tools.module.css';
import type { ToolProps } from '../frame/use-tool-state';
import { Panel } from '../frame/view-frame';

type Forecast = Science['demand.forecast.Result'];

const GROWS: { value: string; label: string; of: Growing }[] = [
  { value: 'all', label: 'All of the work', of: undefined },
  { value: 'cores', label: 'Busy cores', of: ['cores'] },
  { value: 'ram', label: 'RAM', of: ['ram'] },
  { value: 'stored', label: 'Stored data', of: ['block', 'object', 'archive'] },
  { value: 'transfer', label: 'Transfer', of: ['transfer'] },
  { value: 'gpus', label: 'GPUs', of: ['gpus'] },
];

function Take({ studyId, params, of }: Answered<Forecast> & { studyId: string }) {
  const id = useId();
  const [chosen, setChosen] = useState(params.trace ? 'cores' : 'all');
  const take = useTakeGrowth(studyId);
  const grows = GROWS.find(({ value }) => value === chosen)?.of;
  const { of: from, s: state } = of.search;
  return (
    <div className={styles.bar}>
      <label htmlFor={id}>What grows so</label>
      <Select
        id={id}
        value={chosen}
        choices={GROWS}
        onChange={(event) => setChosen(event.target.value)}
      />
      <Button
        look="primary"
        disabled={take.isPending}
        onClick={() => take.mutate({ params, of: grows, from, state })}
      >
        Use as this study’s growth
      </Button>
      <p className="small" aria-live="polite">
        {take.error != null && (
          <span className="small right fault whole">{messageOf(take.error)}</span>
        )}
        {take.isSuccess && (
          <>
            Its workload grows so now, with this range.{' '}
            <Link
              to="/studies/$studyId/designs"
              params={{ studyId }}
              search={{ part: 'workload', at: '/workload/growth' }}
            >
              See it there
            </Link>
          </>
        )}
      </p>
    </div>
  );
}

/** Takes the growth that was found to the study that the tool works for. */
function Growth(answered: Answered<Forecast>) {
  const mayEdit = useMayEdit();
  const { study } = answered.of.search;
  if (!mayEdit || answered.result.growth_fraction_per_year == null) return null;
  return (
    <Panel title="Growth of a study">
      {study === undefined ? (
        <p className="muted small">Choose a study above to use this as its growth.</p>
      ) : (
        <Take key={study} {...answered} studyId={study} />
      )}
    </Panel>
  );
}

/** Where a series is going, and how fast: typed in, of a trace, or of a bill's months. */
export function ForecastTool(props: ToolProps) {
  return (
    <ModelTool<Forecast> of={props} model={FORECAST_MODEL} action="Forecast" evidence={Growth} />
  );
}
