import { useId, type CSSProperties } from 'react';
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
    return { outer, inner: at(passed), share: fastest > 0 ? (rates[place] ?? 0) / fastest : 0 };
  });
}

function half({ inner, outer }: Ring): string {
  const { x, y } = CENTER;
  return `M${x - outer} ${y}A${outer} ${outer} 0 0 1 ${x + outer} ${y}H${x + inner}A${inner} ${inner} 0 0 0 ${x - inner} ${y}Z`;
}

/** Half of a platter: its zones from the outside in, by the rate at which they pass. */
export function ZonesView({ geometry, tracks }: { geometry: DiskGeometry; tracks: DriveTracks }) {
  const rings = ringsOf(geometry, tracks);
  const title = useId();
  const { zones_said: said } = tracks;
  if (rings.length === 0) return null;
  const { x, y } = CENTER;
  return (
    <figure className={styles.zones}>
      <svg viewBox={`0 0 ${WIDTH} ${y + 22}`} role="img" aria-labelledby={title}>
        <title id={title}>{tracks.says}</title>
        {rings.map((ring, at) => (
          <path
            key={at}
            className={styles.ring}
            d={half(ring)}
            style={{ '--fast': `${Math.round(12 + 68 * ring.share ** 2)}%` } as CSSProperties}
          >
            <title>{`Zone ${at + 1}: ${said[at]}`}</title>
          </path>
        ))}
        <path className={styles.edge} d={`M${x - OUTER} ${y}H${x + OUTER}`} />
        <text className={styles.text} x={x - OUTER} y={y + 14}>
          {said[0]}
        </text>
        <text className={`${styles.text} ${styles.middle}`} x={x} y={y + 14}>
          {said.at(-1)}
        </text>
      </svg>
      <figcaption className="muted small">{tracks.caption}</figcaption>
    </figure>
  );
}
