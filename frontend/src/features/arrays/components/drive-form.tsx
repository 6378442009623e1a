import { StateDiagramView } from '../drawing/state-diagram';
import { ZonesView } from '../drawing/zones';
import type { ArrayDesign, Drive } from '../types';
import { useLast } from '../use-last';
import type { Known } from '../use-outlooks';
import { DriveFigures } from './drive-figures';
import { DriveRow } from './drive-row';
import { Part } from './fields';

interface DriveFormProps {
  array: ArrayDesign;
  known: Known;
  onChange: (array: ArrayDesign) => void;
}

/** The drive: which one, its power states and tracks, and its figures, which may be changed. */
export function DriveForm({ array, known, onChange }: DriveFormProps) {
  const { drive } = array;
  const { outlook } = known;
  const diagram = useLast(outlook?.power_states);
  const put = (next: Drive) => onChange({ ...array, drive: next });
  return (
    <Part title="Drive" summary={drive.name}>
      <DriveRow
        label={drive.kind === 'ssd' ? 'Solid-state drive' : 'Disk'}
        drive={drive}
        onTake={put}
      />
      {diagram && <StateDiagramView diagram={diagram} />}
      {drive.kind === 'hdd' && drive.geometry && outlook?.tracks && (
        <ZonesView geometry={drive.geometry} tracks={outlook.tracks} />
      )}
      <DriveFigures drive={drive} known={known} onChange={put} />
    </Part>
  );
}
