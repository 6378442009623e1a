import { useMemo } from 'react';
import { DocumentForm } from '../../../components/form/document-form';
import { quantity } from '../../../lib/format';
import type { JsonObject } from '../../../lib/pointer';
import type { JsonSchema } from '../../../lib/schema';
import { fitted, tooFew } from '../fitted';
import { COPIES } from '../presets';
import type { ArrayDesign } from '../types';
import { faultsBelow, type Known } from '../use-outlooks';
import { useDraft, useFrame } from '../use-draft';
import { CacheDevice } from './cache-device';
import { DriveForm } from './drive-form';
import { SimulatorSchema } from './simulator-schema';
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
    const region_bytes = outlook?.copies_region_bytes ?? COPIES.region_bytes;
    return {
      starts: { '/copies': { region_bytes } } satisfies Record<string, JsonObject>,
      empties: {
        '/timeouts/low_power_idle_s': breakEven(outlook?.low_power_idle_s),
        '/timeouts/standby_s': breakEven(outlook?.standby_s),
      },
    };
  }, [outlook]);
}

function Parts({ array, known, onChange, root }: FormProps & { root: JsonSchema }) {
  const schema = root.$defs?.ArrayDesign ?? {};
  const faults = useMemo(() => faultsBelow(known.faults, '/array'), [known.faults]);
  const rules = { fit: fitted, check: tooFew };
  const { form } = useDraft({ schema, root, value: array, faults, ...rules, onChange });
  const frame = useFrame('array', OPEN);
  return (
    <div className={styles.parts}>
      <DocumentForm
        {...form}
        {...useKnown(known)}
        formId="array"
        schema={schema}
        provenance={{}}
        frame={frame}
        omit={DRAWN_ABOVE}
        own={OWN}
      />
    </div>
  );
}

/** Everything of one array that can be changed: its drive, then what its schema says. */
export function ArrayForm({ array, known, onChange }: FormProps) {
  return (
    <>
      <DriveForm array={array} known={known} onChange={(next) => onChange(fitted(array, next))} />
      <SimulatorSchema>
        {(root) => <Parts array={array} known={known} onChange={onChange} root={root} />}
      </SimulatorSchema>
    </>
  );
}
