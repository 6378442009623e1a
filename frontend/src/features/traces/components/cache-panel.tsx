import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { DocumentForm } from '../../../components/form/document-form';
import { useOpenGroups } from '../../../components/form/use-open';
import type { Told } from '../../../components/told/told';
import { useModelRun } from '../../../lib/model-run';
import { modelQueryOptions } from '../../../lib/models';
import type { JsonObject } from '../../../lib/pointer';
import { Problem } from '../../../lib/problem';
import { useMayEdit } from '../../../lib/session';
import { traceRef, type Trace } from '../../../lib/traces';
import { Answer, RunState, toldBy } from './told';
import own from './cache-panel.module.css';
import styles from './traces.module.css';

const CACHE_MODEL = 'storage.ssd_cache';
// The requests are the trace's.
const OMITTED = ['demand'];

interface InputsProps {
  value: JsonObject;
  error: unknown;
  onChange: (value: JsonObject) => void;
}

/** Disks, layout and the drive that is to go above them, as the model has them unless entered. */
function Inputs({ value, error, onChange }: InputsProps) {
  const schema = useQuery(modelQueryOptions(CACHE_MODEL)).data?.params_schema;
  const open = useOpenGroups([]);
  return (
    schema && (
      <DocumentForm
        formId={CACHE_MODEL}
        schema={schema}
        root={schema}
        value={value}
        provenance={{}}
        faults={error instanceof Problem ? error.faults : []}
        ranges={[]}
        omit={OMITTED}
        frame={{ filter: '', ...open }}
        onChange={onChange}
      />
    )
  );
}

/** What a solid-state cache above disks would do for a block trace. */
export function CachePanel({ trace }: { trace: Trace }) {
  const [typed, setTyped] = useState<JsonObject>({});
  const run = useModelRun<Told>(CACHE_MODEL, `ampacity.trace.cache.${trace.id}`);
  const mayEdit = useMayEdit();
  const { working, start } = run;
  const current = toldBy(run.current);
  const params = { ...typed, demand: { kind: 'trace', trace: traceRef(trace) } };
  return (
    <section className={`${styles.panel} ${own.panel}`} aria-labelledby="cache-title">
      <h2 id="cache-title">What a solid-state cache would hold</h2>
      {current ? (
        <Answer id="cache-answer" of={current} />
      ) : (
        <p className="muted">
          The size that holds a day, what it would serve, save and wear, from every request of this
          trace.
        </p>
      )}
      <RunState title="Advice on the cache" of={run} />
      <Inputs value={typed} error={run.error} onChange={setTyped} />
      <div>
        <Button
          look={current ? undefined : 'primary'}
          disabled={working || !mayEdit}
          onClick={() => start({ params })}
        >
          {working ? 'Working it out …' : current ? 'Work it out again' : 'Work it out'}
        </Button>
      </div>
    </section>
  );
}
