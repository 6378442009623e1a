import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState, type CSSProperties } from 'react';
import { Select } from '../../../components/control';
import { answerQueryOptions } from '../../../lib/answers';
import { entriesQueryOptions } from '../../../lib/catalogue';
import { designByLetter, type Comparison, type DesignResult } from '../../../lib/comparison';
import { percent, quantity } from '../../../lib/format';
import { PLAN } from '../../../lib/models';
import { resolve, schemaAt, type JsonSchema } from '../../../lib/schema';
import { documentQueryOptions } from '../../../lib/studies';
import { useTheme } from '../../../lib/theme';
import { causeColor } from '../../../lib/tokens';
import type { Design } from '../../../lib/types';
import { rackBinds, racked, rackedSpec, type Budget, type Rack, type Racked } from '../racks';
import { designSchema } from './labels';
import styles from './rack-view.module.css';

// Two tints of one family are told apart by their place in the rack and by the legend.
const TINTS = ['hardware', 'site', 'software', 'salvage', 'cooling', 'network'];
const DRAWN = 12;

function Bar({ share, name, value }: { share: number; name: string; value: string }) {
  return (
    <div className={styles.gauge} data-over={share > 1 || undefined}>
      <span>{name}</span>
      <div>
        <i style={{ width: `${Math.min(1, share) * 100}%` }} />
      </div>
      <span className="num">{value}</span>
    </div>
  );
}

interface RackProps {
  rack: Rack;
  at: number;
  cluster: Racked;
  budget: Budget | null;
  tints: string[];
}

function OneRack({ rack, at, cluster, budget, tints }: RackProps) {
  const { slots, groups } = cluster;
  const empty = Math.max(0, slots - rack.nodes.length);
  const power = rack.power_w === null ? 'power not known' : quantity(rack.power_w, 'W');
  return (
    <li
      className={styles.rack}
      aria-label={`Rack ${at + 1}: ${rack.nodes.length} of ${slots} nodes, ${rack.equipment.length} other devices, ${power}`}
    >
      <div className={styles.frame} aria-hidden="true">
        {rack.equipment.map((device, place) => (
          <i key={`device ${place}`} className={styles.device} title={device.name} />
        ))}
        {Array.from({ length: empty }, (_, place) => (
          <i key={`empty ${place}`} className={styles.empty} />
        ))}
        {rack.nodes.toReversed().map((group, place) => (
          <i
            key={place}
            className={styles.node}
            style={{ '--c': tints[group % tints.length] } as CSSProperties}
            title={`${groups[group]?.name ?? ''}, ${quantity(groups[group]?.power_w, 'W')}`}
          />
        ))}
      </div>
      <p className="small">Rack {at + 1}</p>
      <Bar
        name="Space"
        share={rack.nodes.length / slots}
        value={`${rack.nodes.length} of ${slots}`}
      />
      <Bar
        name="Power"
        share={budget && rack.power_w !== null ? rack.power_w / budget.power_w : 0}
        value={rack.power_w === null ? '—' : quantity(rack.power_w, 'W')}
      />
    </li>
  );
}

function spareText(result: DesignResult | undefined): string {
  if (!result) return 'What binds and what is spare: — (the study is not compared yet)';
  const spare = (
    [
      ['cores', result.spare.cores_fraction],
      ['RAM', result.spare.ram_fraction],
      ['disk', result.spare.disk_fraction],
    ] as const
  )
    .filter(([, fraction]) => fraction != null)
    .map(([name, fraction]) => `${name} ${percent(fraction)}`);
  const sized = result.binding.resource !== 'none';
  const unknown = `Spare: — (${sized ? 'not worked out for this kind of design' : 'no demand sizes it'})`;
  const binds = !sized ? '' : `Sized by ${result.binding.label}. `;
  return `${binds}${spare.length > 0 ? `Spare at the peak: ${spare.join(', ')}.` : unknown}`;
}

/** Racks of the catalogue that say how much they may draw. */
function useBudgets(): Budget[] {
  const query = useInfiniteQuery(entriesQueryOptions({ kind: 'rack' }));
  return (query.data?.pages.flatMap((page) => page.results) ?? []).flatMap((entry) => {
    const power = entry.values.power_w?.value;
    return typeof power === 'number' ? [{ title: entry.title, power_w: power }] : [];
  });
}

/** The study's answer for one design, as it is saved. */
function useResult(studyId: string, letter: string): DesignResult | undefined {
  const document = useQuery(documentQueryOptions(studyId)).data;
  const asked = document && document.designs.length > 0 ? { ...document, draws_count: 0 } : null;
  const answer = useQuery(answerQueryOptions<Comparison>(PLAN, asked)).data;
  return answer && designByLetter(answer.result, letter);
}

interface RackViewProps {
  studyId: string;
  /** Whose racks they are: an owned cluster, or a hybrid. */
  design: Design;
  /** The owned cluster whose nodes stand in them. */
  owned: Design;
  plan: JsonSchema;
}

/** The racks of owned nodes: nodes and switches in them, space, power, what binds. */
function RackView({ studyId, design, owned, plan }: RackViewProps) {
  const theme = useTheme();
  const result = useResult(studyId, design.letter);
  const budgets = useBudgets();
  const [chosen, setChosen] = useState(0);
  const budget = budgets[chosen] ?? null;
  const racks = schemaAt(designSchema(plan, owned.kind) ?? plan, plan, owned.spec, '/racks');
  const slots = racks?.properties?.nodes_per_rack_count;
  const usual = slots && resolve(slots, plan).schema.default;
  const cluster = racked(rackedSpec(design, owned), result, typeof usual === 'number' ? usual : 1);
  const tints = TINTS.map((cause) => causeColor('owned', cause, theme));
  if (cluster.nodes === 0) {
    return (
      <p className="muted small">
        Racks: — (no number of nodes is given, and the study is not compared yet)
      </p>
    );
  }
  const { racks: all } = cluster;
  const hybrid = design.letter !== owned.letter;
  return (
    <section className={styles.view} aria-label={`Racks of design ${design.letter}`}>
      {hybrid && (
        <p className="muted small">
          The owned side, with the nodes of design {owned.letter}; what is rented stands elsewhere.
        </p>
      )}
      <p>
        {cluster.nodes.toLocaleString('en-GB')} nodes in{' '}
        {all.length === 1 ? 'one rack' : `${all.length.toLocaleString('en-GB')} racks`},{' '}
        {cluster.power_w === null
          ? 'power not known'
          : `${quantity(cluster.power_w, 'W')} provisioned`}
        .
      </p>
      <p className="muted small">
        {rackBinds(cluster, budget)} {spareText(result)}
      </p>
      <ul className={styles.racks}>
        {all.slice(0, DRAWN).map((rack, at) => (
          <OneRack key={at} rack={rack} at={at} cluster={cluster} budget={budget} tints={tints} />
        ))}
      </ul>
      {all.length > DRAWN && (
        <p className="muted small">and {(all.length - DRAWN).toLocaleString('en-GB')} more racks</p>
      )}
      <div className={styles.legend}>
        {cluster.groups.map(({ name, count }, at) => (
          <span key={name}>
            <i style={{ '--c': tints[at % tints.length] } as CSSProperties} />
            {name} {count === null ? '—' : `× ${count.toLocaleString('en-GB')}`}
          </span>
        ))}
        {all.some(({ equipment }) => equipment.length > 0) && (
          <span>
            <i className={styles.device} /> switches and the like
          </span>
        )}
      </div>
      {budgets.length > 0 && (
        <Select
          aria-label={`Rack of design ${design.letter}`}
          value={String(chosen)}
          choices={budgets.map(({ title, power_w }, at) => ({
            value: String(at),
            label: `${title}: ${quantity(power_w, 'W')}`,
          }))}
          onChange={(event) => setChosen(Number(event.target.value))}
        />
      )}
    </section>
  );
}

/** The racks, asked for once they are opened. */
export function RackDetails(props: RackViewProps) {
  const [open, setOpen] = useState(false);
  return (
    <details className={styles.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Rack view</summary>
      {open && <RackView {...props} />}
    </details>
  );
}
