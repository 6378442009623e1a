import { percent } from '../../../lib/format';
import { COPIES } from '../presets';
import { faultAt, type Known } from '../use-outlooks';
import type { ArrayDesign, FreeSpaceCopies } from '../types';
import { NumberRow, Part, SwitchRow } from './fields';

interface CopiesFormProps {
  array: ArrayDesign;
  known: Known;
  onChange: (array: ArrayDesign) => void;
}

const MIB = 2 ** 20;
const SECTOR_BYTES = 512;

/** Copies of what is read, in the free space near the head of each hard disk. */
export function CopiesForm({ array, known, onChange }: CopiesFormProps) {
  const { copies } = array;
  const region_bytes = known.outlook?.copies_region_bytes ?? COPIES.region_bytes;
  const change = (part: Partial<FreeSpaceCopies>) =>
    copies && onChange({ ...array, copies: { ...copies, ...part } });
  const summary = copies ? `in ${percent(copies.free_fraction)} of each disk` : 'none';
  return (
    <Part title="Copies in free space" summary={summary} open={copies !== null}>
      <SwitchRow
        label="Blocks are copied near the head"
        hint="What is read far from the busiest region is copied into free space there, on each disk by itself (FS2, Huang 2006)."
        checked={copies !== null}
        onChange={(on) => onChange({ ...array, copies: on ? { ...COPIES, region_bytes } : null })}
      />
      {copies && (
        <>
          <NumberRow
            label="Free space"
            unit="%"
            hint="Of each disk. 60% of disks had more than 30% unused in 2004."
            value={copies.free_fraction}
            scale={0.01}
            most={100}
            onChange={(share) => share !== null && change({ free_fraction: share })}
          />
          <NumberRow
            label="Copied every"
            unit="s"
            value={copies.epoch_s}
            least={1}
            onChange={(seconds) => seconds !== null && change({ epoch_s: seconds })}
          />
          <NumberRow
            label="Use is counted by"
            unit="MiB"
            hint="Stretch of a disk whose reads are counted together."
            value={copies.region_bytes}
            scale={MIB}
            least={0.001}
            fault={faultAt(known.faults, '/array/copies')}
            onChange={(bytes) =>
              bytes !== null &&
              change({ region_bytes: Math.round(bytes / SECTOR_BYTES) * SECTOR_BYTES })
            }
          />
          <NumberRow
            label="Files take of it"
            unit="GB/h"
            hint="Free space of each disk that files come to use; copies make room for them."
            value={copies.files_gb_per_h}
            onChange={(rate) => rate !== null && change({ files_gb_per_h: rate })}
          />
        </>
      )}
    </Part>
  );
}
