import { useId, useState } from 'react';
import { Button } from '../../../components/button';
import { Select } from '../../../components/control';
import { useModelRun } from '../../../lib/model-run';
import { useMayEdit } from '../../../lib/session';
import type { Trace } from '../../../lib/traces';
import { hasLoad, POWER_MODEL, powerParams, type PowerAnswer } from '../power';
import own from './cache-panel.module.css';
import { UsePower } from './power-use';
import { Answer, RunState, toldBy } from './told';
import styles from './traces.module.css';

const CHOICES = [
  { value: 'best', label: 'What predicts best' },
  { value: 'linear', label: 'A line' },
  { value: 'fan', label: 'Fan’s curve' },
  { value: 'family', label: 'A family’s shape' },
  { value: 'two_segments', label: 'Two segments' },
];

/** Idle power, full power and shape of the machines, from their measured watts and load. */
export function PowerPanel({ trace }: { trace: Trace }) {
  const [kind, setKind] = useState('best');
  const mayEdit = useMayEdit();
  const id = useId();
  const run = useModelRun<PowerAnswer>(POWER_MODEL, `ampacity.trace.power.${trace.id}`);
  const { working, start } = run;
  const current = toldBy(run.current);
  return (
    <section className={`${styles.panel} ${own.panel}`} aria-labelledby="power-title">
      <h2 id="power-title">Calibrate the power curve</h2>
      {current ? (
        <>
          <Answer id="power-answer" of={current} />
          {mayEdit && <UsePower answer={current} trace={trace} />}
        </>
      ) : (
        <p className="muted">
          {hasLoad(trace)
            ? 'What these machines draw when idle, at full load and between, fitted to their watts and load, with how sure that is. All of them count as one kind.'
            : 'This trace has watts and no load, so there is no curve to fit. Upload the load beside them: one table with both, or one archive with a file of each whose machines have the same names.'}
        </p>
      )}
      <RunState title="Calibration" of={run} />
      {hasLoad(trace) && (
        <div className={own.choices}>
          <label htmlFor={id}>Shape</label>
          <Select
            id={id}
            value={kind}
            choices={CHOICES}
            onChange={(event) => setKind(event.target.value)}
          />
          <Button
            look={current ? undefined : 'primary'}
            disabled={working || !mayEdit}
            onClick={() => start({ params: powerParams(trace, kind) })}
          >
            {working ? 'Calibrating …' : current ? 'Calibrate again' : 'Calibrate'}
          </Button>
        </div>
      )}
    </section>
  );
}
