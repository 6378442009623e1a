import { percent, quantity } from '../../lib/format';
import type { DiskGeometry, GeometryZone, HardDisk } from './types';

const SECTOR_BYTES = 512;
/** Data sheets count whole gigabytes, and some tracks are spare. */
const FITS = { above: 1.01, below: 0.9 };
const ZONES = 8;
/** Tracks of a surface above which an estimate takes more surfaces. */
const MOST_TRACKS = 500_000;

const turnMs = (speed_rpm: number) => 60_000 / speed_rpm;

/** Rate at which the tracks of a zone pass below the head. [MB/s] */
export function zoneRate(zone: GeometryZone, speed_rpm: number): number {
  return (zone.sectors_per_track_count * SECTOR_BYTES) / turnMs(speed_rpm) / 1000;
}

export function cylindersOf({ zones }: DiskGeometry): number {
  return zones.reduce((sum, { cylinders_count }) => sum + cylinders_count, 0);
}

function sectorsOf({ zones, surfaces_count: surfaces }: DiskGeometry): number {
  return zones.reduce(
    (sum, zone) =>
      sum +
      zone.cylinders_count * zone.sectors_per_track_count * surfaces -
      (zone.spare_sectors_count ?? 0),
    0,
  );
}

/** What the tracks hold. [GB] */
export function heldGb(geometry: DiskGeometry): number {
  return (sectorsOf(geometry) * SECTOR_BYTES) / 1e9;
}

function seekCylinders({ seek }: HardDisk): number | null {
  const known: unknown = 'cylinders_count' in seek ? seek.cylinders_count : null;
  return typeof known === 'number' ? known : null;
}

/** Tracks that hold the drive's capacity at its rates, until its own are entered. */
export function estimatedTracks(drive: HardDisk): DiskGeometry {
  const { outer_mb_per_s: outer, inner_mb_per_s, speed_rpm, capacity_gb } = drive;
  const inner = inner_mb_per_s ?? outer;
  const perTrack = (rate: number) => (rate * turnMs(speed_rpm) * 1000) / SECTOR_BYTES;
  const tracks = (capacity_gb * 1e9) / SECTOR_BYTES / perTrack((outer + inner) / 2);
  const counted = seekCylinders(drive);
  const surfaces =
    counted === null
      ? Math.max(2, Math.ceil(tracks / MOST_TRACKS))
      : Math.max(1, Math.round(tracks / counted));
  const cylinders = counted ?? Math.ceil(tracks / surfaces);
  // Where the seek curve counts the cylinders, tracks are as long as the capacity asks.
  const stretch = tracks / (surfaces * cylinders);
  const zones = Array.from({ length: ZONES }, (_, at) => {
    const share = (at + 0.5) / ZONES;
    const first = Math.round((cylinders * at) / ZONES);
    return {
      cylinders_count: Math.round((cylinders * (at + 1)) / ZONES) - first,
      sectors_per_track_count: Math.round(perTrack(outer + (inner - outer) * share) * stretch),
    };
  });
  return {
    surfaces_count: surfaces,
    zones,
    head_skew_ms: 0,
    cylinder_skew_ms: 0,
    follows_angle: false,
  };
}

export function isEstimate(drive: HardDisk, { zones }: DiskGeometry): boolean {
  return JSON.stringify(zones) === JSON.stringify(estimatedTracks(drive).zones);
}

export interface TrackFaults {
  zones?: string;
  /** By the number of the zone. */
  zone: Record<number, string | undefined>;
  head_skew_ms?: string;
  cylinder_skew_ms?: string;
  follows_angle?: string;
}

function capacityFault(drive: HardDisk, geometry: DiskGeometry): string | undefined {
  const held = heldGb(geometry);
  if (drive.capacity_gb >= FITS.below * held && drive.capacity_gb <= FITS.above * held)
    return undefined;
  return `These tracks hold ${quantity(held, 'GB')}, the drive ${quantity(drive.capacity_gb, 'GB')}. Enter the zones of this drive.`;
}

function cylindersFault(drive: HardDisk, geometry: DiskGeometry): string | undefined {
  const [own, counted] = [cylindersOf(geometry), seekCylinders(drive)];
  if (counted === null || counted === own) return undefined;
  return `The zones have ${own.toLocaleString('en-GB')} cylinders, the seek curve has ${counted.toLocaleString('en-GB')}.`;
}

function longSkew(skew_ms: number, { speed_rpm }: HardDisk): string | undefined {
  const turn = turnMs(speed_rpm);
  if (skew_ms < turn) return undefined;
  return `A skew is shorter than a turn, which takes ${quantity(turn / 1000, 's')}.`;
}

function skewFault(geometry: DiskGeometry): string | undefined {
  const { head_skew_ms: head, cylinder_skew_ms: cylinder, surfaces_count: surfaces } = geometry;
  if (surfaces === 1 && head === 0) return undefined;
  return (head === 0) === (cylinder === 0)
    ? undefined
    : 'Enter both skews, or 0 for both when they are not known.';
}

/** What does not fit among the tracks of a drive, or between them and its other figures. */
export function trackFaults(drive: HardDisk, geometry: DiskGeometry): TrackFaults {
  const { zones, head_skew_ms, cylinder_skew_ms, follows_angle } = geometry;
  const [outer, inner, last] = [zones[0], zones.at(-1), zones.length - 1];
  const rises = outer && inner && inner.sectors_per_track_count > outer.sectors_per_track_count;
  const zone: Record<number, string> = rises
    ? { [last]: 'Outer tracks hold more than inner ones.' }
    : {};
  return {
    zones: cylindersFault(drive, geometry) ?? capacityFault(drive, geometry),
    zone,
    head_skew_ms: longSkew(head_skew_ms, drive),
    cylinder_skew_ms: longSkew(cylinder_skew_ms, drive) ?? skewFault(geometry),
    follows_angle:
      follows_angle && cylinder_skew_ms === 0
        ? 'Enter the skews: without them no angle can be followed.'
        : undefined,
  };
}

export function hasTrackFault({ zone, ...faults }: TrackFaults): boolean {
  return Object.keys(zone).length > 0 || Object.values(faults).some((text) => text !== undefined);
}

/** 8 zones, 2 surfaces; not known. */
export function tracksText(geometry: DiskGeometry | null | undefined): string {
  if (!geometry) return 'not known';
  const { zones, surfaces_count: surfaces } = geometry;
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  return `${count(zones.length, 'zone')}, ${count(surfaces, 'surface')}`;
}

/** How far a skew turns the platter. */
export function turnText(skew_ms: number, speed_rpm: number): string {
  return `${percent(skew_ms / turnMs(speed_rpm))} of a turn`;
}
