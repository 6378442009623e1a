import { useMemo } from 'react';
import { quantity } from '../../../lib/format';
import { fitted } from '../fitted';
import type { ArrayDesign } from '../types';
import { faultsBelow } from '../../../lib/problem';
import type { Known } from '../use-outlooks';
import { CacheDevice, DeviceLine } from './cache-device';
import { DriveForm } from './drive-form';
import { SchemaForm } from './schema-form';
import styles from './fields.module.css';

interface FormProps {
  array: ArrayDesign;
  known: Known;
  onChange: (array: ArrayDesign) => void;
}

const OPEN = ['/layout', '/dispatch', '/timeouts', '/cache', '/copies'];
const OWN = { '/cache/device': CacheDevice };
const DRAWN_ABOVE = ['drive'];

/** The time after which a disk sleeps unless another is entered. */
const breakEven = (seconds: number | null | undefined) =>
  seconds == null ? 'never' : quantity(seconds, 's').replace(/\s?s$/, '');

/** What the model knows of parts that are not entered. */
function useKnown({ outlook }: Known) {
  return useMemo(() => {
    const known = outlook && { '/copies': { region_bytes: outlook.copies_region_bytes } };
    return {
      starts: known ?? undefined,
      empties: {
        '/timeouts/low_power_idle_s': breakEven(outlook?.low_power_idle_s),
        '/timeouts/standby_s': breakEven(outlook?.standby_s),
      },
    };
  }, [outlook]);
}

/** Everything of one array that can be changed: its drive, then what its schema says. */
export function ArrayForm({ array, known, onChange }: FormProps) {
  const faults = useMemo(() => faultsBelow(known.faults, '/array'), [known.faults]);
  return (
    <>
      <DriveForm array={array} known={known} onChange={(next) => onChange(fitted(array, next))} />
      <DeviceLine value={known.outlook?.cache_device ?? null}>
        <div className={styles.parts}>
          <SchemaForm
            {...useKnown(known)}
            name="array"
            part={({ $defs }) => $defs?.ArrayDesign}
            value={array}
            open={OPEN}
            faults={faults}
            fit={fitted}
            omit={DRAWN_ABOVE}
            own={OWN}
            onChange={onChange}
          />
        </div>
      </DeviceLine>
    </>
  );
}
