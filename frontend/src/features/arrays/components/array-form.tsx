import type { ArrayDesign, Dispatch, Layout } from '../types';
import {
  choicesOf,
  DISPATCHES,
  fittingDisks,
  isDeclustered,
  isMirrored,
  LAYOUTS,
  LEAST_DISKS,
  PARITIES,
  SCHEDULERS,
} from '../words';
import { quantity } from '../../../lib/format';
import { faultAt, type Known } from '../use-outlooks';
import { BREAK_EVEN_TIMEOUTS } from '../presets';
import { CacheForm } from './cache-form';
import { ControllerForm } from './controller-form';
import { CopiesForm } from './copies-form';
import { DriveForm } from './drive-form';
import { NumberRow, Part, SelectRow, SwitchRow } from './fields';

interface FormProps {
  array: ArrayDesign;
  known: Known;
  onChange: (array: ArrayDesign) => void;
}

const KIB = 1024;
const STRIPED = new Set(['raid0', 'raid10', ...Object.keys(PARITIES)]);

/** Sorted queues and copies in free space spare an arm. */
function hasArm({ drive }: ArrayDesign): boolean {
  return drive.kind === 'hdd';
}

function standbyOf({ drive, layout }: ArrayDesign) {
  return drive.kind === 'hdd' && layout.kind !== 'single' ? drive.standby : null;
}

const REBUILD_HINTS = {
  spare: 'Each lost disk is rebuilt on a spare, no faster than this.',
  spread: 'Each disk that is left reads and writes at most this much for it.',
};

/** What no longer goes with the rest is left out. */
function fitting(array: ArrayDesign): ArrayDesign {
  return hasArm(array) ? array : { ...array, scheduler: 'fcfs', copies: null };
}

function withLayout(array: ArrayDesign, change: Partial<Layout>): ArrayDesign {
  const layout = { ...array.layout, ...change };
  layout.disks_count = fittingDisks(layout.kind, layout.disks_count);
  // A shelf, when an array becomes declustered, so that stripes and spares fit.
  if (change.kind && isDeclustered(change.kind)) {
    const { stripe_disks_count: stripe, distributed_spares_count: spares } = layout;
    layout.disks_count = Math.max(layout.disks_count, stripe + spares);
  }
  // Another layout survives other losses.
  if (change.kind) layout.failed_disk_count = 0;
  if (layout.failed_disk_count === 0) layout.rebuild_mb_per_s = null;
  return { ...array, layout };
}

function LayoutPart({ array, known, onChange }: FormProps) {
  const { layout, scheduler } = array;
  const losses = known.outlook?.losses_survived_count ?? 0;
  const fault = (key: keyof Layout) => faultAt(known.faults, `/array/layout/${key}`);
  const change = (part: Partial<Layout>) => onChange(withLayout(array, part));
  const least = LEAST_DISKS[layout.kind] ?? 1;
  return (
    <Part title="Layout" summary={LAYOUTS[layout.kind]}>
      <SelectRow
        label="Layout"
        value={layout.kind}
        choices={choicesOf(LAYOUTS)}
        onChange={(kind) => change({ kind })}
      />
      {layout.kind !== 'single' && (
        <NumberRow
          label="Disks"
          value={layout.disks_count}
          least={least}
          most={256}
          whole
          fault={fault('disks_count')}
          onChange={(disks) =>
            disks !== null && onChange({ ...array, layout: { ...layout, disks_count: disks } })
          }
        />
      )}
      {isDeclustered(layout.kind) && (
        <>
          <NumberRow
            label="Drives of a stripe"
            hint="Data and parity together; stripes are spread over all disks."
            value={layout.stripe_disks_count}
            least={least}
            most={layout.disks_count}
            whole
            fault={fault('stripe_disks_count')}
            onChange={(count) => count !== null && change({ stripe_disks_count: count })}
          />
          <NumberRow
            label="Distributed spares"
            hint="Disks’ worth of room for rebuilds, on all disks."
            value={layout.distributed_spares_count}
            least={0}
            whole
            fault={fault('distributed_spares_count')}
            onChange={(count) => count !== null && change({ distributed_spares_count: count })}
          />
        </>
      )}
      {STRIPED.has(layout.kind) && (
        <NumberRow
          label="Stripe unit"
          unit="KiB"
          hint="Data on one disk before the next one follows."
          value={layout.chunk_bytes}
          scale={KIB}
          least={0.5}
          fault={fault('chunk_bytes')}
          onChange={(bytes) =>
            bytes !== null && change({ chunk_bytes: Math.round(bytes / 512) * 512 })
          }
        />
      )}
      {layout.kind in PARITIES && (
        <SwitchRow
          label="Small writes hold both disks"
          hint="Each disk reads, turns and writes in one command; otherwise both are read, then both written."
          checked={layout.locked_updates}
          onChange={(locked_updates) => change({ locked_updates })}
        />
      )}
      {hasArm(array) && (
        <SelectRow
          label="Queue order"
          value={scheduler}
          choices={choicesOf(SCHEDULERS)}
          onChange={(next) => onChange({ ...array, scheduler: next })}
        />
      )}
      {(losses > 0 || layout.failed_disk_count > 0) && (
        <NumberRow
          label="Disks lost"
          hint="The last ones; of RAID-10 one of each pair. Their data come from the others."
          value={layout.failed_disk_count}
          whole
          fault={fault('failed_disk_count')}
          onChange={(lost) => lost !== null && change({ failed_disk_count: lost })}
        />
      )}
      {layout.failed_disk_count > 0 && (
        <NumberRow
          label="Rebuild at most at"
          unit="MB/s"
          hint={REBUILD_HINTS[isDeclustered(layout.kind) ? 'spread' : 'spare']}
          value={layout.rebuild_mb_per_s}
          empty="no rebuild"
          least={0.1}
          fault={fault('rebuild_mb_per_s')}
          onChange={(rebuild_mb_per_s) => change({ rebuild_mb_per_s })}
        />
      )}
      {standbyOf(array) && !isDeclustered(layout.kind) && (
        <SwitchRow
          label="Hot spares sleep"
          hint="In standby until a rebuild begins, which waits until they have spun up."
          checked={layout.spares_sleep}
          onChange={(spares_sleep) => change({ spares_sleep })}
        />
      )}
    </Part>
  );
}

function DispatchPart({ array, onChange }: Omit<FormProps, 'known'>) {
  const { dispatch } = array;
  const change = (part: Partial<Dispatch>) =>
    onChange({ ...array, dispatch: { ...dispatch, ...part } });
  return (
    <Part title="Reads" summary={DISPATCHES[dispatch.kind]}>
      <SelectRow
        label="Served by"
        value={dispatch.kind}
        choices={choicesOf(DISPATCHES)}
        onChange={(kind) => change({ kind })}
      />
      {dispatch.kind === 'primary_first' && (
        <NumberRow
          label="Next disk from"
          unit="requests"
          hint="Requests on a disk from which the next one is used."
          value={dispatch.queue_threshold_count}
          least={1}
          whole
          onChange={(count) => count !== null && change({ queue_threshold_count: count })}
        />
      )}
      {dispatch.kind === 'response_time' && (
        <NumberRow
          label="Open next disk at expected wait"
          unit="ms"
          value={dispatch.response_max_ms}
          least={0.001}
          onChange={(ms) => ms !== null && change({ response_max_ms: ms })}
        />
      )}
    </Part>
  );
}

function untilText(seconds: number | null | undefined): string {
  return seconds == null ? 'never' : `${quantity(seconds, 's')}`;
}

function SleepPart({ array, known, onChange }: FormProps) {
  const { outlook } = known;
  const { drive, timeouts, dispatch } = array;
  if (drive.kind === 'ssd' || (!drive.low_power_idle && !drive.standby)) {
    return (
      <Part title="Power" summary="always on" open={false}>
        <p className="muted small">This drive has no state of low power that is known.</p>
      </Part>
    );
  }
  const changeDispatch = (part: Partial<Dispatch>) =>
    onChange({ ...array, dispatch: { ...dispatch, ...part } });
  const set = (key: 'low_power_idle_s' | 'standby_s', value: number | null) =>
    timeouts && onChange({ ...array, timeouts: { ...timeouts, [key]: value } });
  return (
    <Part title="Power" summary={timeouts ? 'disks sleep' : 'always on'}>
      <SwitchRow
        label="Idle disks go to sleep"
        checked={timeouts !== null}
        onChange={(on) => onChange({ ...array, timeouts: on ? BREAK_EVEN_TIMEOUTS : null })}
      />
      {timeouts && drive.low_power_idle && (
        <NumberRow
          label="Low-power idle after"
          unit="s"
          hint="Empty: the break-even time."
          value={timeouts.low_power_idle_s}
          empty={untilText(outlook?.low_power_idle_s).replace(/\s?s$/, '')}
          onChange={(value) => set('low_power_idle_s', value)}
        />
      )}
      {timeouts && drive.standby && (
        <NumberRow
          label="Standby after"
          unit="s"
          hint="Measured from the start of idleness. Empty: the break-even time."
          value={timeouts.standby_s}
          empty={untilText(outlook?.standby_s).replace(/\s?s$/, '')}
          onChange={(value) => set('standby_s', value)}
        />
      )}
      {timeouts && isMirrored(array.layout.kind) && (
        <>
          <SwitchRow
            label="The first disk stays awake"
            checked={dispatch.keep_primary_awake}
            onChange={(keep_primary_awake) => changeDispatch({ keep_primary_awake })}
          />
          <SwitchRow
            label="A waking disk keeps its request"
            hint="The request that wakes a disk waits for it."
            checked={dispatch.wake_binding}
            onChange={(wake_binding) => changeDispatch({ wake_binding })}
          />
          <SwitchRow
            label="Writes wait for the next waking"
            hint="Sleeping copies get their writes when they next wake."
            checked={dispatch.lazy_writes}
            onChange={(lazy_writes) => changeDispatch({ lazy_writes })}
          />
          <NumberRow
            label="Disks waking at once"
            value={dispatch.concurrent_wakes_count}
            least={1}
            whole
            onChange={(count) =>
              count !== null && changeDispatch({ concurrent_wakes_count: count })
            }
          />
        </>
      )}
    </Part>
  );
}

/** Everything of one array that can be changed. */
export function ArrayForm({ array, known, onChange: put }: FormProps) {
  const onChange = (next: ArrayDesign) => put(fitting(next));
  return (
    <>
      <DriveForm array={array} known={known} onChange={onChange} />
      <LayoutPart array={array} known={known} onChange={onChange} />
      {isMirrored(array.layout.kind) && <DispatchPart array={array} onChange={onChange} />}
      <SleepPart array={array} known={known} onChange={onChange} />
      <ControllerForm array={array} onChange={onChange} />
      <CacheForm array={array} onChange={onChange} />
      {hasArm(array) && <CopiesForm array={array} known={known} onChange={onChange} />}
    </>
  );
}
