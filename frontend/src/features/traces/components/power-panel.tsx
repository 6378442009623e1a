import { useCallback, useId, useState } from 'react';
import { Button } from '../../../components/button';
import { ChartPanel } from '../../../components/chart-panel';
import { Select } from '../../../components/control';
import { percent, quantity } from '../../../lib/format';
import { useMedia } from '../../../lib/media';
import { useModelRun } from '../../../lib/model-run';
import { useMayEdit } from '../../../lib/session';
import { useTheme } from '../../../lib/theme';
import type { Trace } from '../../../lib/traces';
import { powerFigure } from '../figures/power';
import {
  hasLoad,
  KINDS,
  POWER_MODEL,
  powerMore,
  powerParams,
  powerSentence,
  type PowerAnswer,
} from '../power';
import own from './cache-panel.module.css';
import { UsePower } from './power-use';
import { RunState, Told } from './told';
import styles from './traces.module.css';

const CHOICES = [
  { value: 'best', label: 'What predicts best' },
  ...Object.entries(KINDS).map(([value, label]) => ({ value, label })),
];

function Errors({ answer }: { answer: PowerAnswer }) {
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label="Error by shape">
      <table>
        <thead>
          <tr>
            <th scope="col">Shape</th>
            <th scope="col" className={styles.number}>
              Median error
            </th>
            <th scope="col" className={styles.number}>
              Root-mean-square
            </th>
          </tr>
        </thead>
        <tbody>
          {answer.kinds.map((row) => (
            <tr key={row.kind} data-best={row.kind === answer.curve.kind || undefined}>
              <td>
                {KINDS[row.kind]}
                {row.kind === answer.curve.kind && ', taken'}
              </td>
              <td className={styles.number}>{percent(row.median_error_fraction)}</td>
              <td className={styles.number}>{quantity(row.root_mean_square_w, 'W')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="muted small">On stretches of the series that were left out of the fit.</p>
    </div>
  );
}

function Found({ answer, trace }: { answer: PowerAnswer; trace: Trace }) {
  const mayEdit = useMayEdit();
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  const build = useCallback(() => powerFigure(answer, { theme, narrow }), [answer, theme, narrow]);
  return (
    <>
      <Told id="power-answer" lead={powerSentence(answer)} more={powerMore(answer)} />
      <ChartPanel name="Power over load" build={build} height={300} />
      <div className={own.beside}>
        <Errors answer={answer} />
        {mayEdit && <UsePower answer={answer} trace={trace} />}
      </div>
    </>
  );
}

/** Idle power, full power and shape of the machines, from their measured watts and load. */
export function PowerPanel({ trace }: { trace: Trace }) {
  const [kind, setKind] = useState('best');
  const mayEdit = useMayEdit();
  const id = useId();
  const run = useModelRun<PowerAnswer>(POWER_MODEL, `ampacity.trace.power.${trace.id}`);
  const { current, working, start } = run;
  return (
    <section className={`${styles.panel} ${own.panel}`} aria-labelledby="power-title">
      <h2 id="power-title">Calibrate the power curve</h2>
      {current ? (
        <Found answer={current} trace={trace} />
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
