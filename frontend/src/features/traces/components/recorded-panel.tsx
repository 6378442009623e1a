import { useState } from 'react';
import { Button } from '../../../components/button';
import { DrivePicker } from '../../../components/drive-picker';
import type { Drive } from '../../../lib/drives';
import { useModelRun } from '../../../lib/model-run';
import type { Trace } from '../../../lib/traces';
import { RECORDED_MODEL, recordedParams, type RecordedAnswer } from '../calibration';
import own from './cache-panel.module.css';
import { FittedDrive, type UseDrive } from './fitted-drive';
import { RunState, toldBy } from './told';
import styles from './traces.module.css';

interface RecordedPanelProps {
  trace: Trace;
  onUse: UseDrive;
}

/** A drive of the catalogue, fitted to a trace that tells how long requests took. */
export function RecordedPanel({ trace, onUse }: RecordedPanelProps) {
  const [picking, setPicking] = useState(false);
  const run = useModelRun<RecordedAnswer, Drive>(
    RECORDED_MODEL,
    `ampacity.trace.calibration.${trace.id}`,
  );
  const { asked, working, start } = run;
  const current = toldBy(run.current);
  const take = (drive: Drive) => {
    setPicking(false);
    start({ params: recordedParams(trace, drive), context: drive });
  };
  return (
    <section className={`${styles.panel} ${own.panel}`} aria-labelledby="recorded-title">
      <h2 id="recorded-title">Calibrate a drive</h2>
      {current && asked ? (
        <FittedDrive
          id="recorded-answer"
          answer={current}
          sheet={asked}
          trace={trace.title}
          onUse={onUse}
        />
      ) : (
        <p className="muted">
          This trace tells how long requests took. Choose the drive that served them: overheads are
          fitted on the first half of the requests that found it idle, the error is told of the
          second half.
        </p>
      )}
      <RunState title="Calibration" of={run} />
      <div>
        <Button icon="book" disabled={working} onClick={() => setPicking(true)}>
          {working ? 'Calibrating …' : current && asked ? asked.name : 'Choose the drive'}
        </Button>
      </div>
      {picking && (
        <DrivePicker
          title="Which drive was recorded?"
          own
          onTake={take}
          onClose={() => setPicking(false)}
        />
      )}
    </section>
  );
}
