import { useState } from 'react';
import { Button } from '../../../components/button';
import { DrivePicker } from '../../../components/drive-picker';
import { StateDiagramView } from '../drawing/state-diagram';
import type { ArrayDesign, Drive } from '../types';
import { KNOWN_DRIVES } from '../drives';
import { NumberRow, Part, Row } from './fields';
import styles from './arrays.module.css';

interface DriveFormProps {
  array: ArrayDesign;
  onChange: (array: ArrayDesign) => void;
}

function Numbers({ drive, onChange }: { drive: Drive; onChange: (drive: Drive) => void }) {
  const number = (label: string, unit: string, value: number, put: (value: number) => Drive) => (
    <NumberRow
      label={label}
      unit={unit}
      value={value}
      onChange={(next) => next !== null && onChange(put(next))}
    />
  );
  return (
    <>
      {number('Capacity', 'GB', drive.capacity_gb, (capacity_gb) => ({ ...drive, capacity_gb }))}
      {number('Price', 'USD', drive.price_usd, (price_usd) => ({ ...drive, price_usd }))}
      {number('At work', 'W', drive.active_w, (active_w) => ({ ...drive, active_w }))}
      {number('Idle', 'W', drive.idle_w, (idle_w) => ({ ...drive, idle_w }))}
      {drive.kind === 'hdd' &&
        number('Speed', 'rpm', drive.speed_rpm, (speed_rpm) => ({ ...drive, speed_rpm }))}
      {drive.kind === 'ssd' &&
        number('Read latency', 'ms', drive.read_latency_ms, (read_latency_ms) => ({
          ...drive,
          read_latency_ms,
        }))}
      {drive.kind === 'ssd' &&
        number('Write latency', 'ms', drive.write_latency_ms, (write_latency_ms) => ({
          ...drive,
          write_latency_ms,
        }))}
      {drive.kind === 'ssd' &&
        number('Requests at once', '', drive.channels_count, (channels_count) => ({
          ...drive,
          channels_count,
        }))}
    </>
  );
}

/** The drive: which one, its power states, and its figures, which may be changed. */
export function DriveForm({ array, onChange }: DriveFormProps) {
  const [picking, setPicking] = useState(false);
  const { drive } = array;
  const put = (next: Drive) => onChange({ ...array, drive: next });
  return (
    <Part title="Drive" summary={drive.name}>
      <Row label={drive.kind === 'ssd' ? 'Solid-state drive' : 'Disk'} wide>
        {(id) => (
          <Button id={id} small icon="book" onClick={() => setPicking(true)}>
            <span className={styles.driveName}>{drive.name}</span>
          </Button>
        )}
      </Row>
      <StateDiagramView drive={drive} timeouts={array.timeouts} />
      <details className={styles.more}>
        <summary>Figures of the drive</summary>
        <Numbers drive={drive} onChange={put} />
      </details>
      {picking && (
        <DrivePicker
          known={KNOWN_DRIVES}
          onTake={(next) => {
            put(next);
            setPicking(false);
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </Part>
  );
}
