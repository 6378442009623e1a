import { useState } from 'react';
import { Button } from '../../../components/button';
import { DrivePicker } from '../../../components/drive-picker';
import { KNOWN_DRIVES } from '../presets';
import type { Drive } from '../types';
import { Row } from './fields';
import styles from './arrays.module.css';

interface DriveRowProps<D extends Drive> {
  label: string;
  drive: D;
  /** What the choice is headed. */
  title?: string;
  /** Which drives are wanted; without it all. */
  only?: (drive: Drive) => drive is D;
  onTake: (drive: D) => void;
}

/** The name of a drive; pressing it opens the choice of another. */
export function DriveRow<D extends Drive>(props: DriveRowProps<D>) {
  const { label, drive, title, only, onTake } = props;
  const known = KNOWN_DRIVES as readonly Drive[] as readonly D[];
  const [picking, setPicking] = useState(false);
  return (
    <>
      <Row label={label}>
        {(id) => (
          <Button id={id} small icon="book" title={drive.name} onClick={() => setPicking(true)}>
            <span className={styles.driveName}>{drive.name}</span>
          </Button>
        )}
      </Row>
      {picking && (
        <DrivePicker
          title={title}
          known={only ? KNOWN_DRIVES.filter(only) : known}
          only={only}
          onTake={(next) => {
            onTake(next);
            setPicking(false);
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </>
  );
}
