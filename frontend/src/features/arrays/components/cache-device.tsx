import { createContext, use } from 'react';
import { solidState } from '../../../components/drive-picker';
import type { FieldProps } from '../../../components/form/field-props';
import { useForm } from '../../../components/form/form-context';
import type { JsonObject } from '../../../lib/pointer';
import type { SolidState } from '../types';
import { DriveRow } from './drive-row';

/** What the model says of the device. */
export const DeviceLine = createContext<string | null>(null);

/** The device of a cache, chosen as a drive is; the whole of it is used at first. */
export function CacheDevice({ pointer, label, value }: FieldProps) {
  const form = useForm();
  const device = value as unknown as SolidState;
  const take = (next: SolidState) =>
    form.fill(
      [
        [pointer, next as unknown as JsonObject],
        ['/cache/capacity_gb', next.capacity_gb],
      ],
      [],
    );
  return (
    <>
      <DriveRow
        label={label}
        title="Choose the device of the cache"
        drive={device}
        only={solidState}
        onTake={take}
      />
      <p className="muted small">{use(DeviceLine)}</p>
    </>
  );
}
