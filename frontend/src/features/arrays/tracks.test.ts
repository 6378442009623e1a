import { ULTRASTAR_15K73, EXOS_X24, KNOWN_DRIVES } from './drives';
import { ringsOf } from './drawing/zones';
import { said } from './figures/fixture';
import {
  estimatedTracks,
  hasTrackFault,
  heldGb,
  trackFaults,
  tracksText,
  zoneRate,
} from './tracks';
import type { DiskGeometry, HardDisk } from './types';

const disks = KNOWN_DRIVES.filter((drive): drive is HardDisk => drive.kind === 'hdd');

function changed(change: Partial<DiskGeometry>) {
  return trackFaults(ULTRASTAR_15K73, { ...estimatedTracks(ULTRASTAR_15K73), ...change });
}

describe('tracks of a drive', () => {
  it.each(disks.map((drive) => [drive.name, drive] as const))(
    'are estimated to hold what %s holds',
    (_, drive) => {
      const geometry = estimatedTracks(drive);
      expect(heldGb(geometry) / drive.capacity_gb).toBeCloseTo(1, 2);
      expect(hasTrackFault(trackFaults(drive, geometry))).toBe(false);
    },
  );

  it('pass at the rates of the drive, fastest outside', () => {
    const rates = ringsOf(estimatedTracks(EXOS_X24), 7200).map(({ rate }) => rate);
    expect(rates[0]).toBeGreaterThan(270);
    expect(rates.at(-1)).toBeLessThan(150);
    // 1,000 sectors of 512 bytes in 1/120 s.
    const zone = { cylinders_count: 1, sectors_per_track_count: 1000 };
    expect(zoneRate(zone, 7200)).toBeCloseTo(61.44, 6);
  });

  it('have faults where they are', () => {
    const { zones, surfaces_count } = estimatedTracks(ULTRASTAR_15K73);
    expect(changed({ surfaces_count: 3 * surfaces_count }).zones).toContain('Enter the zones');
    expect(
      changed({
        zones: [...zones].reverse().map((zone, at) => ({
          ...zone,
          sectors_per_track_count: zone.sectors_per_track_count + at,
        })),
      }).zone[7],
    ).toContain('Outer tracks hold more');
    expect(changed({ head_skew_ms: 0.5 }).cylinder_skew_ms).toContain('both skews');
    expect(said(changed({ head_skew_ms: 5, cylinder_skew_ms: 0.5 }).head_skew_ms)).toContain(
      'a turn, which takes 3.99 ms',
    );
    expect(changed({ follows_angle: true }).follows_angle).toContain('Enter the skews');
  });

  it('are told in a few words', () => {
    expect(tracksText(null)).toBe('not known');
    expect(tracksText(estimatedTracks(ULTRASTAR_15K73))).toBe('8 zones, 2 surfaces');
  });
});
