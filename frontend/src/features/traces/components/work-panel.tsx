import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { Button, buttonClass } from '../../../components/button';
import { Select } from '../../../components/control';
import { useModelRun } from '../../../lib/model-run';
import { messageOf } from '../../../lib/problem';
import { useMayEdit } from '../../../lib/session';
import { studyChoicesQueryOptions } from '../../../lib/studies';
import { WORK_MODEL, workParams, type TraceWork } from '../../../lib/trace-work';
import type { Trace } from '../../../lib/traces';
import { usePutWork } from '../api/work';
import { NO_SIZES, readSizes } from '../machine-sizes';
import own from './cache-panel.module.css';
import { Answer, RunState, toldBy } from './told';
import styles from './traces.module.css';
import { WorkSizes } from './work-sizes';

interface FoundProps {
  found: TraceWork;
  trace: Trace;
  run: string;
}

/** Puts what was found into a study that there is. */
function PutInto({ found, trace, run }: FoundProps) {
  const id = useId();
  const cards = (useQuery(studyChoicesQueryOptions).data?.results ?? []).filter(
    (card) => !card.is_example,
  );
  const [wanted, setWanted] = useState('');
  const study = wanted || (cards[0]?.id ?? '');
  const put = usePutWork();
  if (cards.length === 0) return null;
  return (
    <div className={own.choices}>
      <label htmlFor={id}>Or put it into</label>
      <Select
        id={id}
        value={study}
        choices={cards.map((card) => ({ value: card.id, label: card.title }))}
        onChange={(event) => setWanted(event.target.value)}
      />
      <Button disabled={put.isPending} onClick={() => put.mutate({ study, found, trace, run })}>
        Put into this study
      </Button>
      <span className="small" aria-live="polite">
        {put.isError && <span className="fault">{messageOf(put.error)}</span>}
        {put.isSuccess && (
          <>
            Its workload has them now.{' '}
            <Link to="/studies/$studyId/designs" params={{ studyId: put.data.id }}>
              Open it
            </Link>
          </>
        )}
      </span>
    </div>
  );
}

function Found({ found, trace, run }: FoundProps) {
  return (
    <>
      <Answer id="work-answer" of={found} />
      <div className={own.choices}>
        <Link
          className={buttonClass({ look: 'primary' })}
          to="/studies/new"
          search={{ trace: trace.id, work: run }}
        >
          Size a cluster: new study with this work
        </Link>
      </div>
      <PutInto found={found} trace={trace} run={run} />
    </>
  );
}

/** The work of a study from the use of machines whose size is known. */
export function WorkPanel({ trace }: { trace: Trace }) {
  const key = `ampacity.trace.work.${trace.id}`;
  const [typed, setTyped] = useState(NO_SIZES);
  const [asked, setAsked] = useState(false);
  const mayEdit = useMayEdit();
  const run = useModelRun<TraceWork>(WORK_MODEL, key);
  const current = toldBy(run.current);
  const read = readSizes(typed);
  const start = () => {
    setAsked(true);
    if (read.sizes) run.start({ params: workParams(trace, read.sizes) });
  };
  return (
    <section id="work" className={`${styles.panel} ${own.panel}`} aria-labelledby="work-title">
      <h2 id="work-title">Make a workload</h2>
      <p className="muted">
        The trace holds shares of machines. With their size it becomes busy cores, their peak and
        their hours, and RAM in use where the trace has it.
      </p>
      <WorkSizes typed={typed} read={read} asked={asked} onChange={setTyped} />
      <div className={own.choices}>
        <Button
          look={current ? undefined : 'primary'}
          disabled={run.working || !mayEdit}
          onClick={start}
        >
          {run.working ? 'Working …' : 'Make a workload'}
        </Button>
      </div>
      <RunState title="Workload" of={run} />
      {current && run.run && <Found found={current} trace={trace} run={run.run.id} />}
    </section>
  );
}
