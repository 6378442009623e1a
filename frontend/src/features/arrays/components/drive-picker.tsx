import { CatalogueList, type CatalogueLine } from '../../../components/catalogue-list';
import { Dialog } from '../../../components/dialog';
import { quantity } from '../../../lib/format';
import type { CatalogueEntry } from '../../../lib/types';
import { driveOf } from '../catalogue';
import { KNOWN_DRIVES } from '../drives';
import type { Drive } from '../types';

interface DrivePickerProps {
  onTake: (drive: Drive) => void;
  onClose: () => void;
}

function figures(drive: Drive): string {
  const speed =
    drive.kind === 'hdd'
      ? `${drive.speed_rpm.toLocaleString('en-GB')} rpm`
      : `${quantity(drive.read_latency_ms / 1000, 's')} to read`;
  const price = drive.price_usd > 0 ? quantity(drive.price_usd, 'USD') : null;
  const parts = [
    quantity(drive.capacity_gb / 1000, 'TB'),
    speed,
    `${quantity(drive.idle_w, 'W')} idle`,
    price,
  ];
  return parts.filter(Boolean).join(' · ');
}

/** The drives of the catalogue, and those of the papers; one is taken. */
export function DrivePicker({ onTake, onClose }: DrivePickerProps) {
  const known = (drive: Drive): CatalogueLine => ({
    key: drive.name,
    title: drive.name,
    note: figures(drive),
    onTake: () => onTake(drive),
  });
  const ofEntry = (entry: CatalogueEntry): CatalogueLine => {
    const { drive, missing } = driveOf(entry);
    return {
      key: entry.slug,
      title: entry.title,
      note: drive ? figures(drive) : `not known: ${missing.join(', ')}`,
      onTake: drive && (() => onTake(drive)),
    };
  };
  return (
    <Dialog title="Choose a drive" width={720} onClose={onClose}>
      <CatalogueList
        kind="drive"
        lines={(entries, wanted) => [
          ...KNOWN_DRIVES.filter(({ name }) =>
            name.toLowerCase().includes(wanted.toLowerCase()),
          ).map(known),
          ...readyFirst(entries.map(ofEntry)),
        ]}
      />
    </Dialog>
  );
}

const readyFirst = (lines: readonly CatalogueLine[]) =>
  [...lines].sort((a, b) => Number(b.onTake !== null) - Number(a.onTake !== null));
