import { useState } from 'react';
import { Button } from '../../../components/button';
import { ModelForm } from '../../../components/form/model-form';
import type { Told } from '../../../components/told/told';
import { useModelRun } from '../../../lib/model-run';
import type { JsonObject } from '../../../lib/pointer';
import { useMayEdit } from '../../../lib/session';
import { traceRef, type Trace } from '../../../lib/traces';
import { Answer, RunState, toldBy } from './told';
import own from './cache-panel.module.css';
import styles from './traces.module.css';

const CACHE_MODEL = 'storage.ssd_cache';
// The requests are the trace's, and sizes and sample follow from them.
const OMITTED = ['demand', 'sizes_gb', 'block_bytes', 'accesses_max_count'];

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
      <div className={own.asked}>
        <ModelForm
          model={CACHE_MODEL}
          value={typed}
          error={run.error}
          omit={OMITTED}
          onChange={setTyped}
        />
      </div>
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
