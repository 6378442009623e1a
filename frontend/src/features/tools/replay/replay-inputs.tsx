import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Segments } from '../../../components/control';
import { Dialog } from '../../../components/dialog';
import { TracePicker } from '../../../components/trace-picker';
import { quantity } from '../../../lib/format';
import { figureOf, traceRef, tracesQueryOptions, type Trace } from '../../../lib/traces';
import { POLICIES, wattsOf, type ReplayState } from './replay';
import { NumberField } from '../frame/number-field';
import { known, Servers } from '../frame/server-picker';
import { Group } from '../frame/view-frame';
import styles from '../frame/tools.module.css';

interface PartProps {
  state: ReplayState;
  set: (change: Partial<ReplayState>) => void;
}

const SOURCES = [
  { value: 'generated', label: 'Generated' },
  { value: 'trace', label: 'Uploaded' },
];
const ESTATES = [
  { value: 'servers', label: 'Servers of today' },
  { value: 'paper', label: 'The paper’s' },
];

const kind = { kind: 'utilization', state: 'succeeded' } as const;

/** The uploaded traces of utilisation that are read. */
export function useTraces(): Trace[] {
  return useQuery(tracesQueryOptions(kind)).data?.results ?? [];
}

function describe(trace: Trace): string {
  const [machines, hours] = [figureOf(trace, 'machines_count'), figureOf(trace, 'duration_s')];
  return [
    trace.format_title,
    machines === null ? '' : `${machines} machines`,
    hours === null ? '' : quantity(hours / 3600, 'h'),
  ]
    .filter(Boolean)
    .join(', ');
}

function TraceChoice({ state, set }: PartProps) {
  const trace = useTraces().find(({ id }) => id === state.trace_id);
  return (
    <>
      <TracePicker
        kind="utilization"
        aria-label="Uploaded trace"
        value={trace ? traceRef(trace) : null}
        onChange={(found) => set({ trace_id: found?.trace_id ?? '' })}
      />
      <p className="muted small">
        {trace ? describe(trace) : 'Utilisation that is uploaded on the page of traces.'}
      </p>
    </>
  );
}

function Generated({ state, set }: PartProps) {
  const field = (key: 'mean_fraction' | 'swing_fraction' | 'noise_fraction', label: string) => (
    <NumberField
      label={label}
      unit="fraction"
      low={0}
      high={1}
      value={state[key]}
      onChange={(value) => set({ [key]: value })}
    />
  );
  return (
    <>
      <NumberField
        label="Machines"
        whole
        low={1}
        high={2000}
        value={state.machines_count}
        onChange={(machines_count) => set({ machines_count })}
      />
      {field('mean_fraction', 'Load of the middle one')}
      <NumberField
        label="Spread of the means"
        low={0}
        high={3}
        value={state.spread_ratio}
        onChange={(spread_ratio) => set({ spread_ratio })}
      />
      {field('swing_fraction', 'Swing over the day')}
      {field('noise_fraction', 'Random variation')}
      <p className="muted small">
        Made up from these numbers: it shows how policies differ, not what yours would save.
      </p>
    </>
  );
}

function ServerKind({ state, set }: PartProps) {
  const [open, setOpen] = useState(false);
  const [note, setNote] = useState('');
  const { power_w: watts } = state;
  return (
    <>
      <p>{state.server_name}</p>
      <p className="muted small num">
        {quantity(watts[0], 'W')} idle to {quantity(watts.at(-1), 'W')} at full load. {note}
      </p>
      <div>
        <Button small icon="book" onClick={() => setOpen(true)}>
          Another server
        </Button>
      </div>
      <NumberField
        label="Memory to copy"
        unit="GB"
        low={0.001}
        value={state.copy_gb}
        onChange={(copy_gb) => set({ copy_gb })}
      />
      <NumberField
        label="Network"
        unit="Gbit/s"
        low={0.01}
        value={state.network_gbit_per_s}
        onChange={(network_gbit_per_s) => set({ network_gbit_per_s })}
      />
      {open && (
        <Dialog title="Servers of the catalogue" onClose={() => setOpen(false)} width={520}>
          <div className={styles.group}>
            <Servers
              onTake={(entry) => {
                const found = wattsOf(entry);
                setNote(
                  found === null
                    ? `${entry.title} is not taken: its power is not known.`
                    : found.measured
                      ? ''
                      : 'Between them a straight line: no load points are published.',
                );
                if (found) {
                  set({
                    server_name: entry.title,
                    power_w: found.power_w,
                    server_cores: known(entry, 'cores_per_node_count'),
                    server_ram_gib: known(entry, 'ram_gib'),
                  });
                }
                setOpen(false);
              }}
            />
          </div>
        </Dialog>
      )}
    </>
  );
}

/** What is replayed, on which servers, under which policies. */
export function ReplayInputs({ state, set }: PartProps) {
  const toggle = (id: string, on: boolean) =>
    set({
      policies: POLICIES.map((policy) => policy.id).filter((one) =>
        one === id ? on : state.policies.includes(one),
      ),
    });
  return (
    <>
      <Group title="Load">
        <Segments
          label="Load"
          value={state.source}
          choices={SOURCES}
          onChange={(source) => set({ source: source as ReplayState['source'] })}
        />
        {state.source === 'generated' ? (
          <Generated state={state} set={set} />
        ) : (
          <TraceChoice state={state} set={set} />
        )}
      </Group>
      <Group title="Servers">
        <Segments
          label="Servers"
          value={state.estate}
          choices={ESTATES}
          onChange={(estate) => set({ estate: estate as ReplayState['estate'] })}
        />
        {state.estate === 'servers' ? (
          <ServerKind state={state} set={set} />
        ) : (
          <p className="muted small">
            800 hosts, HP ProLiant ML110 G4 and G5 by turns, and four kinds of one-core machines, as
            in Beloglazov and Buyya 2012.
          </p>
        )}
        <NumberField
          label="Moving, at each end"
          unit="W"
          low={0}
          value={state.moving_w}
          onChange={(moving_w) => set({ moving_w })}
        />
        <NumberField
          label="To sleep and wake"
          unit="kJ"
          low={0}
          value={state.wake_kj}
          onChange={(wake_kj) => set({ wake_kj })}
        />
      </Group>
      <Group title="Policies">
        <div className={styles.checks}>
          {POLICIES.map(({ id, label }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={id === 'dvfs' || state.policies.includes(id)}
                disabled={id === 'dvfs'}
                onChange={(event) => toggle(id, event.target.checked)}
              />
              {label}
            </label>
          ))}
        </div>
        <NumberField
          label="Threshold of THR"
          unit="fraction"
          low={0.05}
          high={1}
          value={state.threshold_fraction}
          onChange={(threshold_fraction) => set({ threshold_fraction })}
        />
        <p className="muted small">
          DVFS moves nothing and is what the others are held to. MMT moves what is quickest to move,
          MU the least busy, RS any, MC the most correlated.
        </p>
      </Group>
    </>
  );
}
