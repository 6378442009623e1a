import { Segments } from '../../../components/control';
import type { BoardState } from './board';
import { NumberField } from '../frame/number-field';
import { Panel } from '../frame/view-frame';
import styles from '../frame/tools.module.css';

const APARTS = [
  { value: 'server', label: 'Servers' },
  { value: 'rack', label: 'Racks' },
  { value: 'power_line', label: 'Power lines' },
];

interface ApartProps {
  state: BoardState;
  set: (change: Partial<BoardState>) => void;
}

/** What applications apart must not share, and what a server costs to wake. */
export function Apart({ state, set }: ApartProps) {
  const whole = (key: 'servers_per_rack' | 'power_lines', label: string) => (
    <NumberField
      label={label}
      whole
      low={1}
      value={state[key]}
      onChange={(value) => set({ [key]: value })}
    />
  );
  return (
    <Panel title="What apart means, and waking">
      <div className={styles.bar}>
        <Segments
          label="Applications apart stand in different"
          value={state.apart}
          choices={APARTS}
          onChange={(apart) => set({ apart: apart as BoardState['apart'] })}
        />
        {whole('servers_per_rack', 'Servers of a rack')}
        {whole('power_lines', 'Power lines')}
        <NumberField
          label="To sleep and wake"
          unit="kJ"
          low={0}
          value={state.wake_kj}
          onChange={(wake_kj) => set({ wake_kj })}
        />
      </div>
      <p className="muted small">
        Servers are in racks in their order, and on power lines by turns.
      </p>
    </Panel>
  );
}
