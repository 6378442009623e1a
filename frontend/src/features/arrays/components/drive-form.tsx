import { useState } from 'react';
import { Button } from '../../../components/button';
import { DrivePicker } from '../../../components/drive-picker';
import { StateDiagramView } from '../drawing/state-diagram';
import type { ArrayDesign, Drive } from '../types';
import { KNOWN_DRIVES } from '../drives';
import { DriveFigures } from './drive-figures';
import { Part, Row } from './fields';
import styles from './arrays.module.css';

interface DriveFormProps {
  array: ArrayDesign;
  onChange: (array: ArrayDesign) => void;
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
      <DriveFigures drive={drive} onChange={put} />
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
