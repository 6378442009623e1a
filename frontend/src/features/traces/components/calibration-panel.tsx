import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Segments, Switch } from '../../../components/control';
import { Fault } from '../../../components/fault';
import { DrivePicker } from '../../../components/drive-picker';
import { answerQueryOptions } from '../../../lib/answers';
import type { Drive } from '../../../lib/drives';
import { quantity } from '../../../lib/format';
import {
  askedBy,
  CALIBRATION_MODEL,
  calibrationParams,
  type Calibration,
  type CalibrationAnswer,
} from '../calibration';
import { FittedDrive, type UseDrive } from './fitted-drive';
import own from './cache-panel.module.css';
import styles from './traces.module.css';

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
  /** What the trace is called. */
  trace: string;
  onUse: UseDrive;
}

/** A drive of the catalogue, fitted to what was measured here. */
export function CalibrationPanel({ calibrations, trace, onUse }: CalibrationPanelProps) {
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
        <FittedDrive
          id="calibration-answer"
          answer={answer.data}
          sheet={drive}
          trace={trace}
          asked={askedBy(answer.data, given)}
          onUse={onUse}
        />
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
          own
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
