import { solidState } from '../../../components/drive-picker';
import type { FieldProps } from '../../../components/form/field-props';
import { useForm } from '../../../components/form/form-context';
import { quantity } from '../../../lib/format';
import type { JsonObject } from '../../../lib/pointer';
import type { SolidState } from '../types';
import { DriveRow } from './drive-row';

/** What of the device goes into the watts, the cost and the wear of the array. */
function deviceLine({ read_latency_ms, write_latency_ms, ...device }: SolidState): string {
  const price = device.price_usd > 0 ? quantity(device.price_usd, 'USD') : 'price not known';
  const rated =
    device.endurance_tb === null
      ? 'rated writes not known'
      : `${quantity(device.endurance_tb, 'TB')} of rated writes`;
  return [
    `Reads in ${quantity(read_latency_ms / 1000, 's')}, writes in ${quantity(write_latency_ms / 1000, 's')}`,
    `${quantity(device.active_w, 'W')} at work, ${quantity(device.idle_w, 'W')} idle`,
    price,
    rated,
  ].join('; ');
}

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
      <p className="muted small">{deviceLine(device)}.</p>
    </>
  );
}
