import { money, quantity, significant } from '../../../lib/format';
import { joules, longestWait, PART_NAMES, type ClusterAnswer, type JobAnswer } from './scaling';
import { Panel } from '../frame/view-frame';
import styles from '../frame/tools.module.css';

const LINES: [string, (cluster: ClusterAnswer) => string][] = [
  ['Nodes', ({ nodes_count }) => nodes_count.toLocaleString('en-GB')],
  ['Disks', ({ disks_count }) => disks_count.toLocaleString('en-GB')],
  ['Time', ({ time_s }) => quantity(time_s, 's')],
  ['Waits longest for', (cluster) => PART_NAMES[longestWait(cluster)]],
  ['Power at work', ({ power_w }) => quantity(power_w, 'W')],
  ['Joules per job', ({ energy_j }) => joules(energy_j)],
  ['Jobs per kWh', ({ energy_j }) => significant(3.6e6 / energy_j)],
  // The original's performance per watt-hour; it counts the speed-up twice.
  ['Jobs an hour, per kWh', (one) => significant((3600 / one.time_s) * (3.6e6 / one.energy_j))],
  ['Fixed power, by node', ({ fixed_power_per_node_w: watts }) => quantity(watts, 'W')],
  [
    'Threads per disk',
    ({ threads_per_disk_ratio: ratio }) => (ratio === null ? '—' : significant(ratio)),
  ],
  ['Price', ({ price_usd }) => money(price_usd)],
  ['Price and energy', ({ tco_usd }) => money(tco_usd)],
];

/** What the job takes on each cluster. */
export function Clusters({ answer }: { answer: JobAnswer }) {
  return (
    <Panel title="The clusters side by side">
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Clusters compared">
        <table className={styles.ranking}>
          <thead>
            <tr>
              <th scope="col">Measure</th>
              {answer.clusters.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {LINES.map(([label, text]) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {answer.clusters.map((cluster) => (
                  <td key={cluster.name}>{text(cluster)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {answer.clusters
        .flatMap((cluster) => cluster.warnings)
        .map((warning) => (
          <p key={warning} className="muted small">
            {warning}
          </p>
        ))}
    </Panel>
  );
}

/** What the gains and time cuts that the paper prints imply, the box over the i7 cluster. */
export function Implied({ answer }: { answer: JobAnswer }) {
  if (answer.implied.length === 0) return null;
  return (
    <Panel title="What the paper’s printed gains imply">
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Implied ratios">
        <table className={styles.ranking}>
          <thead>
            <tr>
              <th scope="col">Benchmark</th>
              <th scope="col">Speed</th>
              <th scope="col">Power</th>
              <th scope="col">Joules per job</th>
              <th scope="col">Speed per Wh</th>
            </tr>
          </thead>
          <tbody>
            {answer.implied.map((row) => (
              <tr key={row.name}>
                <th scope="row">{row.name}</th>
                <td>{significant(row.speedup_ratio)} ×</td>
                <td>{significant(row.power_ratio)} ×</td>
                <td>{significant(row.energy_ratio)} ×</td>
                <td>{significant(row.performance_per_wh_ratio)} ×</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="muted small">
        The box over the i7 cluster, from the printed gain per watt and time saved. Speed per
        watt-hour counts the speed-up twice; joules per job do not.
      </p>
    </Panel>
  );
}
