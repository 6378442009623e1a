import { useState } from 'react';
import { driveOf, SMALL_KB, type Drive, type SolidState } from '../lib/drives';
import { quantity } from '../lib/format';
import type { CatalogueEntry } from '../lib/types';
import { Button } from './button';
import { CatalogueList, type CatalogueLine } from './catalogue-list';
import { Dialog } from './dialog';
import { DriveFiles } from './drive-files';
import { DriveSheet } from './drive-sheet';

interface DrivePickerProps<D extends Drive> {
  title?: string;
  /** Drives that stand above those of the catalogue. */
  known?: readonly D[];
  /** Which drives are wanted; without it all. */
  only?: (drive: Drive) => drive is D;
  /** Offers a drive that the catalogue does not have. */
  own?: boolean;
  /** With the entry of the catalogue that it is made of, if it is one. */
  onTake: (drive: D, entry?: CatalogueEntry) => void;
  onClose: () => void;
}

export const solidState = (drive: Drive): drive is SolidState => drive.kind === 'ssd';

/** Time of one 4 KiB read of a drive that has nothing else to do. */
function readSeconds(drive: SolidState): number {
  const channels = drive.read_hold_ms ? drive.channels_count : 1;
  return (drive.read_latency_ms + SMALL_KB / drive.read_mb_per_s / channels) / 1000;
}

const yearOf = ({ values }: CatalogueEntry) => Number(values.year?.value ?? 0);

function figures(drive: Drive): string {
  const speed =
    drive.kind === 'hdd'
      ? `${drive.speed_rpm.toLocaleString('en-GB')} rpm`
      : `${quantity(readSeconds(drive), 's')} to read`;
  const small = drive.capacity_gb < 1000;
  const price = drive.price_usd > 0 ? quantity(drive.price_usd, 'USD') : null;
  const parts = [
    small ? quantity(drive.capacity_gb, 'GB') : quantity(drive.capacity_gb / 1000, 'TB'),
    speed,
    `${quantity(drive.idle_w, 'W')} idle`,
    price,
  ];
  return parts.filter(Boolean).join(' · ');
}

const OWN = { files: DriveFiles, sheet: DriveSheet };

/** The drives of the catalogue, and those that are known besides; one is taken. */
export function DrivePicker<D extends Drive = Drive>(props: DrivePickerProps<D>) {
  const { title = 'Choose a drive', known = [], only, own, onTake, onClose } = props;
  const [way, setWay] = useState<keyof typeof OWN | null>(null);
  const fits = (drive: Drive): drive is D => only?.(drive) ?? true;
  const lineOf = (drive: D): CatalogueLine => ({
    key: drive.name,
    title: drive.name,
    note: figures(drive),
    onTake: () => onTake(drive),
  });
  const ofEntry = (entry: CatalogueEntry): CatalogueLine[] => {
    const { kind, drive, missing } = driveOf(entry);
    const named = { key: entry.slug, title: entry.title };
    if (drive !== null) {
      const line = { ...lineOf(drive as D), ...named, onTake: () => onTake(drive as D, entry) };
      return fits(drive) ? [line] : [];
    }
    const wanted = fits({ kind } as Drive);
    return wanted ? [{ ...named, note: `not known: ${missing.join(', ')}`, onTake: null }] : [];
  };
  const Own = way && OWN[way];
  return (
    <>
      <Dialog title={title} width={720} onClose={onClose}>
        <div className="stack gap-12">
          {own && (
            <div className="flow gap-8">
              <Button icon="upload" onClick={() => setWay('files')}>
                Read DiskSim’s files
              </Button>
              <Button icon="sliders" onClick={() => setWay('sheet')}>
                Describe a drive
              </Button>
            </div>
          )}
          <CatalogueList
            kind="drive"
            lines={(entries, wanted) => [
              ...known
                .filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))
                .map(lineOf),
              ...readyFirst([...entries].sort((a, b) => yearOf(b) - yearOf(a)).flatMap(ofEntry)),
            ]}
          />
        </div>
      </Dialog>
      {Own && <Own onTake={(drive) => fits(drive) && onTake(drive)} onClose={() => setWay(null)} />}
    </>
  );
}

const readyFirst = (lines: readonly CatalogueLine[]) =>
  [...lines].sort((a, b) => Number(b.onTake !== null) - Number(a.onTake !== null));
