import { useState } from 'react';
import { Button } from '../../../components/button';
import { Icon } from '../../../components/icon';
import { quantity } from '../../../lib/format';
import { ZonesView } from '../drawing/zones';
import {
  estimatedTracks,
  hasTrackFault,
  isEstimate,
  trackFaults,
  tracksText,
  turnText,
  zoneRate,
  type TrackFaults,
} from '../tracks';
import type { DiskGeometry, GeometryZone, HardDisk } from '../types';
import { FaultLine, NumberRow, PairRow, SwitchRow } from './fields';
import styles from './arrays.module.css';
import fieldStyles from './fields.module.css';

interface TracksProps {
  drive: HardDisk;
  onChange: (drive: HardDisk) => void;
}

interface PartProps {
  drive: HardDisk;
  geometry: DiskGeometry;
  faults: TrackFaults;
  onChange: (change: Partial<DiskGeometry>) => void;
}

const MOST_ZONES = 256;

function Zones({ drive, geometry, faults, onChange }: PartProps) {
  const { zones } = geometry;
  const put = (at: number, change: Partial<GeometryZone>) =>
    onChange({ zones: zones.map((zone, other) => (other === at ? { ...zone, ...change } : zone)) });
  const last = zones.at(-1);
  return (
    <div className={fieldStyles.pairs} role="group" aria-label="Zones">
      <div className={fieldStyles.pairHead} aria-hidden>
        <span>Cylinders</span>
        <span>Sectors per track</span>
        <span className={fieldStyles.pairNote}>Rate</span>
      </div>
      {zones.map((zone, at) => (
        <PairRow
          key={`${at} of ${zones.length}`}
          first={{
            label: `Cylinders of zone ${at + 1}`,
            value: zone.cylinders_count,
            least: 1,
            whole: true,
            onChange: (count) => count !== null && put(at, { cylinders_count: count }),
          }}
          second={{
            label: `Sectors per track of zone ${at + 1}`,
            value: zone.sectors_per_track_count,
            least: 1,
            whole: true,
            fault: faults.zone[at],
            onChange: (count) => count !== null && put(at, { sectors_per_track_count: count }),
          }}
          note={quantity(zoneRate(zone, drive.speed_rpm), 'MB/s')}
          onRemove={
            zones.length > 1
              ? () => onChange({ zones: zones.filter((_, other) => other !== at) })
              : null
          }
        />
      ))}
      {faults.zones && <FaultLine text={faults.zones} />}
      <Button
        small
        icon="plus"
        disabled={zones.length >= MOST_ZONES || !last}
        onClick={() => last && onChange({ zones: [...zones, { ...last }] })}
      >
        Add a zone inside
      </Button>
    </div>
  );
}

function Skews({ drive, geometry, faults, onChange }: PartProps) {
  const { head_skew_ms, cylinder_skew_ms } = geometry;
  const hint = (skew: number) => (skew > 0 ? turnText(skew, drive.speed_rpm) : '0: not known.');
  return (
    <>
      <NumberRow
        label="To the next surface"
        unit="ms"
        hint={`From the end of a track to the start of the next of its cylinder (head skew). ${hint(head_skew_ms)}`}
        value={head_skew_ms}
        fault={faults.head_skew_ms}
        onChange={(ms) => ms !== null && onChange({ head_skew_ms: ms })}
      />
      <NumberRow
        label="To the next cylinder"
        unit="ms"
        hint={`From the end of a cylinder to the start of the next (cylinder skew). ${hint(cylinder_skew_ms)}`}
        value={cylinder_skew_ms}
        fault={faults.cylinder_skew_ms}
        onChange={(ms) => ms !== null && onChange({ cylinder_skew_ms: ms })}
      />
      <SwitchRow
        label="The angle of the platter is followed"
        hint="From start to end; otherwise the rotation after a seek is random."
        checked={geometry.follows_angle}
        onChange={(follows_angle) => onChange({ follows_angle })}
      />
      {faults.follows_angle && <FaultLine text={faults.follows_angle} />}
    </>
  );
}

/** The tracks as they are typed; they are put to the drive whenever nothing is wrong with them. */
function useTracks({ drive, onChange }: TracksProps) {
  const [draft, setDraft] = useState<{ of: HardDisk; geometry: DiskGeometry } | null>(null);
  const geometry = draft?.of === drive ? draft.geometry : (drive.geometry ?? null);
  const put = (next: DiskGeometry | null) => {
    if (next && hasTrackFault(trackFaults(drive, next))) {
      setDraft({ of: drive, geometry: next });
      return;
    }
    setDraft(null);
    onChange({ ...drive, geometry: next });
  };
  return { geometry, put };
}

/** Zones, surfaces and skews of a hard disk, with its platter drawn by rate. */
export function TracksForm(props: TracksProps) {
  const { drive } = props;
  const { geometry, put } = useTracks(props);
  const faults = geometry ? trackFaults(drive, geometry) : null;
  const faulty = faults !== null && hasTrackFault(faults);
  const change = (part: Partial<DiskGeometry>) => geometry && put({ ...geometry, ...part });
  return (
    <details className={styles.figures}>
      <summary>
        Tracks: {tracksText(geometry)}
        {faulty && <Icon name="warning" size={14} />}
      </summary>
      <SwitchRow
        label="Zones are known"
        hint="Rates, seeks by cylinder and changes of track then follow from them. At first they are estimated from the capacity and the rates of the drive."
        checked={geometry !== null}
        onChange={(on) => put(on ? estimatedTracks(drive) : null)}
      />
      {geometry && faults && (
        <>
          {isEstimate(drive, geometry) && (
            <p className="muted small">
              Estimated from its capacity and rates, until its own zones are entered.
            </p>
          )}
          <ZonesView geometry={geometry} speed_rpm={drive.speed_rpm} />
          <NumberRow
            label="Surfaces"
            value={geometry.surfaces_count}
            least={1}
            most={64}
            whole
            onChange={(count) => count !== null && change({ surfaces_count: count })}
          />
          <Zones drive={drive} geometry={geometry} faults={faults} onChange={change} />
          <Skews drive={drive} geometry={geometry} faults={faults} onChange={change} />
          {faulty && (
            <p className="muted small" role="status">
              The drive stays as it was until what is marked fits.
            </p>
          )}
        </>
      )}
    </details>
  );
}
