import { useMemo, useState } from 'react';
import { Button } from '../../../components/button';
import { ChartPanel } from '../../../components/chart-panel';
import { Table } from '../../../components/table';
import { money, percent, quantity, significant } from '../../../lib/format';
import { useMedia } from '../../../lib/media';
import { useTheme } from '../../../lib/theme';
import { ModelTool, type Answered } from '../frame/model-tool';
import told from '../../../components/told/told.module.css';
import styles from '../frame/tools.module.css';
import type { ToolProps } from '../frame/use-tool-state';
import { Panel } from '../frame/view-frame';
import { DAY_MODEL, type Day, type Replay } from './replay';
import { energyOver, hostsOn, serviceByEnergy } from './replay-figure';

interface EvidenceProps {
  replay: Replay;
  chosen: Day | undefined;
  onChoose: (policy: string) => void;
}

const HEADS = [
  'Policy',
  'Energy',
  'Saved a year',
  { label: 'On, most', title: 'Hosts on, at the percentile and at most' },
  'Moves',
  { label: 'A day per host', title: 'Moves a day for each host that is on' },
  { label: 'Switched', title: 'Servers that were switched on' },
  { label: 'Moving, switching', title: 'What copying machines and switching servers draw' },
  { label: 'SLATAH', title: 'Share of host time in which less was given than asked' },
  { label: 'PDM', title: 'Share of what is asked that moves withhold' },
  { label: 'SLAV', title: 'SLATAH times PDM' },
  { label: 'ESV', title: 'Energy times SLAV; less is better' },
  'Choose',
];

function Measures({ replay, chosen, onChoose }: EvidenceProps) {
  return (
    <Panel title="Energy and service by policy">
      <Table label="Policies compared" tableClass={told.ranking} heads={HEADS}>
        {replay.days.map((day) => (
          <tr key={day.policy} data-best={day === chosen || undefined}>
            <th scope="row">{day.policy}</th>
            <td>{quantity(day.energy_kwh, 'kWh')}</td>
            <td>{money(day.saving?.usd_per_year)}</td>
            <td>
              {significant(day.hosts_on_percentile_count)}, {day.hosts_on_most_count}
            </td>
            <td>{day.migrations_count.toLocaleString('en-GB')}</td>
            <td>{significant(day.moves_per_host_per_day)}</td>
            <td>{day.switches_count.toLocaleString('en-GB')}</td>
            <td>{quantity(day.moving_kwh + day.switching_kwh, 'kWh')}</td>
            <td>{percent(day.slatah_fraction)}</td>
            <td>{percent(day.pdm_fraction)}</td>
            <td>{small(day.slav_fraction)}</td>
            <td>{small(day.esv_kwh)}</td>
            <td>
              <Button
                small
                aria-pressed={day === chosen}
                aria-label={`Speak of ${day.policy}`}
                onClick={() => onChoose(day.policy)}
              >
                {day === chosen ? 'Shown' : 'Show'}
              </Button>
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function small(value: number): string {
  if (value === 0) return '0';
  if (value >= 1e-3) return significant(value);
  const [digits = '', power = ''] = value.toExponential(2).split('e-');
  return `${digits} × 10⁻${Array.from(power, (digit) => RAISED[Number(digit)]).join('')}`;
}

function Evidence(props: EvidenceProps) {
  const { replay, chosen } = props;
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  const builds = useMemo(() => {
    const options = { theme, narrow, chosen: chosen?.policy };
    return {
      on: () => hostsOn(replay, options),
      energy: () => energyOver(replay, options),
      service: () => serviceByEnergy(replay, options),
    };
  }, [replay, theme, narrow, chosen]);
  return (
    <>
      <ChartPanel name="Hosts on over time" build={builds.on} height={340} />
      <Measures {...props} />
      <div className={styles.two}>
        <ChartPanel name="Energy over time" build={builds.energy} height={300} />
        <ChartPanel
          name="Energy and service"
          build={builds.service}
          height={300}
          empty="Choose two policies or more."
        />
      </div>
    </>
  );
}

/** What nothing moved needs, beside what moves do. */
function Still({ replay: { static: still, hosts_count: hosts } }: { replay: Replay }) {
  const { fits, hosts_count: needed, bound_count: bound, binding } = still;
  return (
    <Panel title="If nothing moves">
      <dl className={styles.facts}>
        <div>
          <dt>Hosts needed</dt>
          <dd>{fits ? `${needed} of ${hosts}` : `more than ${hosts}`}</dd>
        </div>
        <div>
          <dt>At least</dt>
          <dd>{bound}</dd>
        </div>
        <div>
          <dt>Constraint</dt>
          <dd>{binding === 'cpu' ? 'CPU' : 'memory'}</dd>
        </div>
        <div>
          <dt>Energy</dt>
          <dd>{quantity(still.energy_kwh, 'kWh')}</dd>
        </div>
        <div>
          <dt>Host time short of CPU</dt>
          <dd>{percent(still.short_fraction)}</dd>
        </div>
      </dl>
    </Panel>
  );
}

function Replayed({ result }: Answered<Replay>) {
  const [wanted, setWanted] = useState<string | null>(null);
  const chosen = result.days.find(({ policy }) => policy === (wanted ?? result.best_policy));
  return (
    <>
      <Still replay={result} />
      <Evidence replay={result} chosen={chosen} onChoose={setWanted} />
    </>
  );
}

/** A day replayed: the hosts that it needs, with machines moving and with nothing moved. */
export function ReplayTool(props: ToolProps) {
  return <ModelTool<Replay> of={props} model={DAY_MODEL} action="Replay" evidence={Replayed} />;
}
