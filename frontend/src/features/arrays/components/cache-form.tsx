import { solidState } from '../../../components/drive-picker';
import { quantity } from '../../../lib/format';
import { CACHE } from '../presets';
import type { ArrayDesign, CacheTier, SolidState } from '../types';
import { CACHE_MODES, choicesOf } from '../words';
import { DriveRow } from './drive-row';
import { NumberRow, Part, SelectRow, SwitchRow } from './fields';

interface CacheFormProps {
  array: ArrayDesign;
  onChange: (array: ArrayDesign) => void;
}

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

export function CacheForm({ array, onChange }: CacheFormProps) {
  const { cache } = array;
  const change = (part: Partial<CacheTier>) =>
    cache && onChange({ ...array, cache: { ...cache, ...part } });
  const summary = cache ? quantity(cache.capacity_gb * 1e9, 'B') : 'none';
  return (
    <Part title="SSD cache" summary={summary} open={cache !== null}>
      <SwitchRow
        label="A cache above the disks"
        checked={cache !== null}
        onChange={(on) => onChange({ ...array, cache: on ? CACHE : null })}
      />
      {cache && (
        <>
          <DriveRow
            label="Device"
            title="Choose the device of the cache"
            drive={cache.device}
            only={solidState}
            onTake={(device) => change({ device, capacity_gb: device.capacity_gb })}
          />
          <p className="muted small">{deviceLine(cache.device)}.</p>
          <SelectRow
            label="Mode"
            value={cache.mode}
            choices={choicesOf(CACHE_MODES)}
            onChange={(mode) => change({ mode })}
          />
          <NumberRow
            label="Size"
            unit="GB"
            value={cache.capacity_gb}
            least={0.001}
            onChange={(size) => size !== null && change({ capacity_gb: size })}
          />
          <NumberRow
            label="Block"
            unit="KiB"
            value={cache.block_bytes}
            scale={1024}
            least={0.5}
            onChange={(bytes) =>
              bytes !== null && change({ block_bytes: Math.round(bytes / 512) * 512 })
            }
          />
          <NumberRow
            label="Reads that hit"
            unit="%"
            hint="Empty: the cache is simulated, oldest block out."
            value={cache.hit_fraction}
            scale={0.01}
            most={100}
            empty="simulated"
            onChange={(hit_fraction) => change({ hit_fraction })}
          />
          <NumberRow
            label="Written back from"
            unit="% dirty"
            value={cache.dirty_max_fraction}
            scale={0.01}
            most={100}
            onChange={(share) => share !== null && change({ dirty_max_fraction: share })}
          />
        </>
      )}
    </Part>
  );
}
