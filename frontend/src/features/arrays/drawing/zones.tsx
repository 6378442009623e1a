import { useId, type CSSProperties } from 'react';
import { quantity } from '../../../lib/format';
import type { DriveTracks } from '../result';
import type { DiskGeometry } from '../types';
import styles from './zones.module.css';

const WIDTH = 320;
const OUTER = 104;
const HUB = 30;
const CENTER = { x: WIDTH / 2, y: OUTER + 6 };

export interface Ring {
  /** From the center. */
  inner: number;
  outer: number;
  rate: number;
  /** Of the fastest. */
  share: number;
}

/** Zones as rings: as wide as their cylinders, as dark as they are fast. */
export function ringsOf(geometry: DiskGeometry, tracks: DriveTracks): Ring[] {
  const { cylinders_count: all, zone_rates_mb_per_s: rates } = tracks;
  const fastest = Math.max(...rates);
  let passed = 0;
  return geometry.zones.map((zone, place) => {
    const at = (cylinders: number) => OUTER - ((OUTER - HUB) * cylinders) / Math.max(all, 1);
    const outer = at(passed);
    passed += zone.cylinders_count;
    const rate = rates[place] ?? 0;
    return { outer, inner: at(passed), rate, share: fastest > 0 ? rate / fastest : 0 };
  });
}

function half({ inner, outer }: Ring): string {
  const { x, y } = CENTER;
  return `M${x - outer} ${y}A${outer} ${outer} 0 0 1 ${x + outer} ${y}H${x + inner}A${inner} ${inner} 0 0 0 ${x - inner} ${y}Z`;
}

/** 8 zones, 2 surfaces. */
function tracksText({ zones, surfaces_count: surfaces }: DiskGeometry): string {
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  return `${count(zones.length, 'zone')}, ${count(surfaces, 'surface')}`;
}

/** Half of a platter: its zones from the outside in, by the rate at which they pass. */
export function ZonesView({ geometry, tracks }: { geometry: DiskGeometry; tracks: DriveTracks }) {
  const rings = ringsOf(geometry, tracks);
  const title = useId();
  const [first, last] = [rings[0], rings.at(-1)];
  if (!first || !last) return null;
  const span = `${quantity(first.rate, 'MB/s')} outside, ${quantity(last.rate, 'MB/s')} inside`;
  const { x, y } = CENTER;
  return (
    <figure className={styles.zones}>
      <svg viewBox={`0 0 ${WIDTH} ${y + 22}`} role="img" aria-labelledby={title}>
        <title id={title}>{`Zones of the platter: ${tracksText(geometry)}, ${span}.`}</title>
        {rings.map((ring, at) => (
          <path
            key={at}
            className={styles.ring}
            d={half(ring)}
            style={{ '--fast': `${Math.round(12 + 68 * ring.share ** 2)}%` } as CSSProperties}
          >
            <title>{`Zone ${at + 1}: ${quantity(ring.rate, 'MB/s')}`}</title>
          </path>
        ))}
        <path className={styles.edge} d={`M${x - OUTER} ${y}H${x + OUTER}`} />
        <text className={styles.text} x={x - OUTER} y={y + 14}>
          {quantity(first.rate, 'MB/s')}
        </text>
        <text className={`${styles.text} ${styles.middle}`} x={x} y={y + 14}>
          {quantity(last.rate, 'MB/s')}
        </text>
      </svg>
      <figcaption className="muted small">
        {tracksText(geometry)}, {tracks.cylinders_count.toLocaleString('en-GB')} cylinders,{' '}
        {quantity(tracks.held_gb, 'GB')}
        {tracks.estimated && ', estimated from capacity and rates'}
      </figcaption>
    </figure>
  );
}
