import { StateDiagramView } from '../drawing/state-diagram';
import type { ArrayDesign, Drive } from '../types';
import { DriveFigures } from './drive-figures';
import { DriveRow } from './drive-row';
import { Part } from './fields';
import { TracksForm } from './tracks-form';

interface DriveFormProps {
  array: ArrayDesign;
  onChange: (array: ArrayDesign) => void;
}

/** The drive: which one, its power states, and its figures, which may be changed. */
export function DriveForm({ array, onChange }: DriveFormProps) {
  const { drive } = array;
  const put = (next: Drive) => onChange({ ...array, drive: next });
  return (
    <Part title="Drive" summary={drive.name}>
      <DriveRow
        label={drive.kind === 'ssd' ? 'Solid-state drive' : 'Disk'}
        drive={drive}
        onTake={put}
      />
      <StateDiagramView drive={drive} timeouts={array.timeouts} />
      <DriveFigures drive={drive} onChange={put} />
      {drive.kind === 'hdd' && drive.seek.kind !== 'logical' && (
        <TracksForm drive={drive} onChange={put} />
      )}
    </Part>
  );
}
