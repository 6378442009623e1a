import type { Drive, SleepState } from '../types';

export interface StateNode {
  id: 'active' | 'write' | 'idle' | 'low_power_idle' | 'standby';
  label: string;
  power_w: number;
}

export interface Transition {
  from: StateNode['id'];
  to: StateNode['id'];
  /** Nothing where the change costs neither time nor energy. */
  cost: { duration_s: number; energy_j: number } | null;
}

export interface StateDiagram {
  nodes: StateNode[];
  transitions: Transition[];
}

function sleep(id: 'low_power_idle' | 'standby', state: SleepState, from: StateNode['id']) {
  const transitions: Transition[] = [
    { from, to: id, cost: { duration_s: state.down_s, energy_j: state.down_j } },
    { from: id, to: 'idle', cost: { duration_s: state.up_s, energy_j: state.up_j } },
  ];
  return transitions;
}

/** The states of a drive from most to least power, and what going between them takes. */
export function stateDiagram(drive: Drive): StateDiagram {
  const idle: StateNode = { id: 'idle', label: 'Idle', power_w: drive.idle_w };
  if (drive.kind === 'ssd') {
    const read: StateNode = { id: 'active', label: 'Reading', power_w: drive.active_w };
    const write: StateNode = {
      id: 'write',
      label: 'Writing',
      power_w: drive.write_w ?? drive.active_w,
    };
    return {
      nodes: [read, write, idle],
      transitions: [{ from: 'active', to: 'idle', cost: null }],
    };
  }
  const { low_power_idle: low, standby } = drive;
  const nodes: StateNode[] = [{ id: 'active', label: 'Serving', power_w: drive.active_w }, idle];
  const transitions: Transition[] = [{ from: 'active', to: 'idle', cost: null }];
  if (low) {
    nodes.push({ id: 'low_power_idle', label: 'Low-power idle', power_w: low.power_w });
    transitions.push(...sleep('low_power_idle', low, 'idle'));
  }
  if (standby) {
    nodes.push({ id: 'standby', label: 'Standby', power_w: standby.power_w });
    transitions.push(...sleep('standby', standby, low ? 'low_power_idle' : 'idle'));
  }
  return { nodes, transitions };
}
