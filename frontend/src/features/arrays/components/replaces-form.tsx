import { REPLACED } from '../presets';
import type { Drive, HardDisk, Replaced } from '../types';
import { DriveRow } from './drive-row';
import { NumberRow, Part, SwitchRow } from './fields';

const replacedText = ({ drive, disks_count: count }: Replaced) =>
  count === 1 ? drive.name : `${count} × ${drive.name}`;

interface ReplacesFormProps {
  replaces: Replaced | null;
  onChange: (replaces: Replaced | null) => void;
}

/** As the closed form takes them. */
const threePoints = (drive: Drive): drive is HardDisk =>
  drive.kind === 'hdd' && drive.seek.kind === 'three_point';

/** The drives whose place the array takes: what the swap saves, and when that has paid. */
export function ReplacesForm({ replaces, onChange }: ReplacesFormProps) {
  return (
    <Part
      title="Replaces"
      summary={replaces ? replacedText(replaces) : 'nothing'}
      open={replaces !== null}
    >
      <SwitchRow
        label="It takes the place of other drives"
        hint="They spin all the time and serve the same requests."
        checked={replaces !== null}
        onChange={(on) => onChange(on ? REPLACED : null)}
      />
      {replaces && (
        <>
          <DriveRow
            label="Drive"
            title="Choose the drive that it replaces"
            drive={replaces.drive}
            only={threePoints}
            onTake={(drive) => onChange({ ...replaces, drive })}
          />
          <NumberRow
            label="How many"
            value={replaces.disks_count}
            least={1}
            most={256}
            whole
            onChange={(count) => count !== null && onChange({ ...replaces, disks_count: count })}
          />
          <NumberRow
            label="Price of each"
            unit="USD"
            value={replaces.drive.price_usd || null}
            empty="not known"
            onChange={(price) =>
              onChange({ ...replaces, drive: { ...replaces.drive, price_usd: price ?? 0 } })
            }
          />
        </>
      )}
    </Part>
  );
}
