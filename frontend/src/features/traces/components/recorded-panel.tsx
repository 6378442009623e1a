import { useCallback, useState } from 'react';
import { Button } from '../../../components/button';
import { ChartPanel } from '../../../components/chart-panel';
import { DrivePicker } from '../../../components/drive-picker';
import type { Drive } from '../../../lib/drives';
import { useMedia } from '../../../lib/media';
import { useModelRun } from '../../../lib/model-run';
import { useTheme } from '../../../lib/theme';
import type { Trace } from '../../../lib/traces';
import {
  RECORDED_MODEL,
  recordedMore,
  recordedParams,
  recordedSentence,
  type RecordedAnswer,
} from '../calibration';
import { timesFigure } from '../figures/calibration';
import own from './cache-panel.module.css';
import { Parameters } from './fitted-drive';
import { RunState, Told } from './told';
import styles from './traces.module.css';

interface FoundProps {
  answer: RecordedAnswer;
  sheet: Drive;
  onUse: (drive: Drive) => void;
}

function Found({ answer, sheet, onUse }: FoundProps) {
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  const build = useCallback(() => timesFigure(answer, { theme, narrow }), [answer, theme, narrow]);
  const named = { ...answer.drive, name: `${sheet.name}, calibrated` };
  return (
    <>
      <Told id="recorded-answer" lead={recordedSentence(answer)} more={recordedMore(answer)} />
      <ChartPanel name="Service times, measured and modelled" build={build} height={300} />
      <Parameters sheet={sheet} fitted={answer.drive} />
      <div>
        <Button look="primary" icon="plus" onClick={() => onUse(named)}>
          Use in an array
        </Button>
      </div>
    </>
  );
}

interface RecordedPanelProps {
  trace: Trace;
  onUse: (drive: Drive) => void;
}

/** A drive of the catalogue, fitted to a trace that tells how long requests took. */
export function RecordedPanel({ trace, onUse }: RecordedPanelProps) {
  const [picking, setPicking] = useState(false);
  const run = useModelRun<RecordedAnswer, Drive>(
    RECORDED_MODEL,
    `ampacity.trace.calibration.${trace.id}`,
  );
  const { current, asked, working, start } = run;
  const take = (drive: Drive) => {
    setPicking(false);
    start({ params: recordedParams(trace, drive), context: drive });
  };
  return (
    <section className={`${styles.panel} ${own.panel}`} aria-labelledby="recorded-title">
      <h2 id="recorded-title">Calibrate a drive</h2>
      {current && asked ? (
        <Found answer={current} sheet={asked} onUse={onUse} />
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
          onTake={take}
          onClose={() => setPicking(false)}
        />
      )}
    </section>
  );
}
