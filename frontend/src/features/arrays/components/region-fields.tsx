import type { Addresses } from '../types';
import { NumberRow } from './fields';

type Regions = Extract<Addresses, { kind: 'regions' }>;

/** Two regions, the hot one first: how much of the array, and how much of the requests. */
export function RegionFields({
  addresses,
  onChange,
}: {
  addresses: Regions;
  onChange: (addresses: Regions) => void;
}) {
  const [hot, cold] = addresses.regions;
  if (!hot || !cold) return null;
  const share = hot.weight_ratio / (hot.weight_ratio + cold.weight_ratio);
  const put = (space: number, requests: number) =>
    onChange({
      ...addresses,
      regions: [
        { ...hot, start_fraction: 0, end_fraction: space, weight_ratio: requests * 10 },
        { ...cold, start_fraction: space, end_fraction: 1, weight_ratio: (1 - requests) * 10 },
      ],
    });
  return (
    <>
      <NumberRow
        label="Hot part of the space"
        unit="%"
        value={hot.end_fraction}
        scale={0.01}
        least={0.1}
        most={99}
        onChange={(space) => space !== null && put(space, share)}
      />
      <NumberRow
        label="Requests that go there"
        unit="%"
        value={share}
        scale={0.01}
        most={100}
        onChange={(requests) => requests !== null && put(hot.end_fraction, requests)}
      />
    </>
  );
}
