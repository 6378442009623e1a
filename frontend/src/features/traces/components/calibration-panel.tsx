import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { Button } from '../../../components/button';
import { ChartPanel } from '../../../components/chart-panel';
import { Segments, Switch } from '../../../components/control';
import { Fault } from '../../../components/fault';
import { DrivePicker } from '../../../components/drive-picker';
import { answerQueryOptions } from '../../../lib/answers';
import type { Drive } from '../../../lib/drives';
import { percent, quantity } from '../../../lib/format';
import { useMedia } from '../../../lib/media';
import { useTheme } from '../../../lib/theme';
import {
  CALIBRATION_MODEL,
  calibrationMore,
  calibrationParams,
  calibrationSentence,
  type Calibration,
  type CalibrationAnswer,
} from '../calibration';
import { depthsFigure } from '../figures/calibration';
import { Parameters } from './fitted-drive';
import own from './cache-panel.module.css';
import { Told } from './told';
import styles from './traces.module.css';

const NAMES = { read: 'Read', write: 'Write' } as const;

function Depths({ answer }: { answer: CalibrationAnswer }) {
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label="Error by depth">
      <table>
        <thead>
          <tr>
            <th scope="col">Direction</th>
            <th scope="col" className={styles.number}>
              Depth
            </th>
            <th scope="col" className={styles.number}>
              Measured
            </th>
            <th scope="col" className={styles.number}>
              Modelled
            </th>
            <th scope="col" className={styles.number}>
              Error
            </th>
          </tr>
        </thead>
        <tbody>
          {answer.depths.map((row) => (
            <tr key={`${row.way} ${row.depth_count}`}>
              <td>{NAMES[row.way]}</td>
              <td className={styles.number}>{row.depth_count}</td>
              <td className={styles.number}>{quantity(row.measured_ms / 1000, 's')}</td>
              <td
                className={styles.number}
                title={
                  row.modelled_ms === null
                    ? 'A disk sorts its own queue at depths above one: not fitted.'
                    : undefined
                }
              >
                {row.modelled_ms === null ? '—' : quantity(row.modelled_ms / 1000, 's')}
              </td>
              <td className={styles.number}>{percent(row.error_fraction)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface FoundProps {
  answer: CalibrationAnswer;
  sheet: Drive;
  onUse: (drive: Drive) => void;
}

function Found({ answer, sheet, onUse }: FoundProps) {
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  const build = useCallback(() => depthsFigure(answer, { theme, narrow }), [answer, theme, narrow]);
  const named = { ...answer.drive, name: `${sheet.name}, calibrated` };
  return (
    <>
      <Told
        id="calibration-answer"
        lead={calibrationSentence(answer)}
        more={calibrationMore(answer)}
      />
      <ChartPanel name="Latency by queue depth" build={build} height={300} />
      <div className={own.beside}>
        <Parameters sheet={sheet} fitted={answer.drive} />
        <Depths answer={answer} />
      </div>
      <div>
        <Button look="primary" icon="plus" onClick={() => onUse(named)}>
          Use in an array
        </Button>
      </div>
    </>
  );
}

const bytes = (value: number) =>
  value % 1024 === 0 ? `${value / 1024} KiB` : quantity(value, 'B');

interface SizesProps {
  calibrations: readonly Calibration[];
  size: number | undefined;
  onSize: (size: number) => void;
}

function Sizes({ calibrations, size, onSize }: SizesProps) {
  if (calibrations.length < 2) return null;
  return (
    <Segments
      label="Size of the requests"
      value={String(size)}
      choices={calibrations.map(({ size_bytes }) => ({
        value: String(size_bytes),
        label: bytes(size_bytes),
      }))}
      onChange={(value) => onSize(Number(value))}
    />
  );
}

interface CalibrationPanelProps {
  calibrations: readonly Calibration[];
  onUse: (drive: Drive) => void;
}

/** A drive of the catalogue, fitted to what was measured here. */
export function CalibrationPanel({ calibrations, onUse }: CalibrationPanelProps) {
  const [drive, setDrive] = useState<Drive | null>(null);
  const [size, setSize] = useState(calibrations[0]?.size_bytes ?? 0);
  const [fitSeeks, setFitSeeks] = useState(false);
  const [picking, setPicking] = useState(false);
  const given = calibrations.find(({ size_bytes }) => size_bytes === size) ?? calibrations[0];
  const params = given ? calibrationParams(given, drive, fitSeeks) : null;
  const answer = useQuery(
    answerQueryOptions<CalibrationAnswer, CalibrationAnswer>(
      CALIBRATION_MODEL,
      params,
      ({ result }) => result,
    ),
  );
  return (
    <section className={`${styles.panel} ${own.panel}`} aria-labelledby="calibration-title">
      <h2 id="calibration-title">Calibrate a drive</h2>
      {drive && answer.data && !answer.isError ? (
        <Found answer={answer.data} sheet={drive} onUse={onUse} />
      ) : (
        <p className="muted">
          Choose the drive that was measured: what its data sheet does not say is fitted to these
          latencies, and how well it then fits is told.
        </p>
      )}
      <Fault of={answer} />
      <div className={own.choices}>
        <Button icon="book" look={drive ? undefined : 'primary'} onClick={() => setPicking(true)}>
          {drive ? drive.name : 'Choose the drive'}
        </Button>
        <Sizes calibrations={calibrations} size={given?.size_bytes} onSize={setSize} />
        {drive?.kind === 'hdd' && (
          <Switch label="Fit the seeks too" checked={fitSeeks} onChange={setFitSeeks} />
        )}
      </div>
      {picking && (
        <DrivePicker
          title="Which drive was measured?"
          onTake={(taken) => {
            setDrive(taken);
            setPicking(false);
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </section>
  );
}
