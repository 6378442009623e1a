import { quantity } from '../../../lib/format';
import { Table } from '../../../components/table';
import { ModelTool, type Answered } from '../frame/model-tool';
import told from '../../../components/told/told.module.css';
import styles from '../frame/tools.module.css';
import type { ToolProps } from '../frame/use-tool-state';
import { Panel } from '../frame/view-frame';
import {
  CLUSTER_MODEL,
  CODE_LINES,
  CODE_MODEL,
  PHASE_LINES,
  type Clustered,
  type Coded,
} from './clusters';

const PHASES = { before: 'Before', during: 'During the rebuild', after: 'After' };

function Phases({ result }: Answered<Clustered>) {
  const { phases, rebuild } = result;
  return (
    <>
      <Panel title="Before, during and after the rebuild">
        <Table
          label="Phases compared"
          tableClass={told.ranking}
          heads={['Measure', ...phases.map(({ phase }) => PHASES[phase])]}
        >
          {PHASE_LINES.map(([label, text]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {phases.map((phase) => (
                <td key={phase.phase}>{text(phase)}</td>
              ))}
            </tr>
          ))}
        </Table>
      </Panel>
      {rebuild && (
        <Panel title="Rebuild">
          <dl className={styles.facts}>
            <div>
              <dt>Time</dt>
              <dd>{quantity(rebuild.recovery_h, 'h')}</dd>
            </div>
            <div>
              <dt>By its limits alone</dt>
              <dd>{quantity(rebuild.limit_h, 'h')}</dd>
            </div>
            <div>
              <dt>Read</dt>
              <dd>{quantity(rebuild.read_tb, 'TB')}</dd>
            </div>
            <div>
              <dt>Between nodes</dt>
              <dd>{quantity(rebuild.network_tb, 'TB')}</dd>
            </div>
            <div>
              <dt>Energy of the cluster</dt>
              <dd>{quantity(rebuild.energy_kwh, 'kWh')}</dd>
            </div>
          </dl>
        </Panel>
      )}
    </>
  );
}

function Figures({ result }: Answered<Coded>) {
  return (
    <Panel title="Space, durability, load and cost">
      <dl className={styles.facts}>
        {CODE_LINES.map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text(result)}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** A cluster that keeps copies or coded shards, by its closed form. */
export function CodesTool(props: ToolProps) {
  return <ModelTool<Coded> of={props} model={CODE_MODEL} evidence={Figures} />;
}

/** The same cluster, request by request, through the rebuild of a drive or a node. */
export function ClustersTool(props: ToolProps) {
  return (
    <ModelTool<Clustered> of={props} model={CLUSTER_MODEL} action="Simulate" evidence={Phases} />
  );
}
