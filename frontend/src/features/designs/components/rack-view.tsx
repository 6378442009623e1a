import { useQuery } from '@tanstack/react-query';
import { useState, type CSSProperties } from 'react';
import { answerQueryOptions } from '../../../lib/answers';
import {
  designByLetter,
  type Comparison,
  type DesignResult,
  type RackFigures,
  type RackFill,
} from '../../../lib/comparison';
import { percent, quantity } from '../../../lib/format';
import { PLAN } from '../../../lib/models';
import { documentQueryOptions } from '../../../lib/studies';
import { useTheme } from '../../../lib/theme';
import { causeColor } from '../../../lib/tokens';
import type { Design } from '../../../lib/types';
import styles from './rack-view.module.css';

// Two tints of one family are told apart by their place in the rack and by the legend.
const TINTS = ['hardware', 'site', 'software', 'salvage', 'cooling', 'network'];

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
  rack: RackFill;
  at: number;
  racks: RackFigures;
  tints: string[];
}

function OneRack({ rack, at, racks, tints }: RackProps) {
  const { groups, limit_w } = racks;
  const slots = rack.slots_count;
  const nodes = rack.nodes_count.flatMap((count, group) =>
    Array.from({ length: count }, () => group),
  );
  const empty = Math.max(0, slots - nodes.length);
  const draws = rack.power_w === null ? '—' : quantity(rack.power_w, 'W');
  return (
    <li
      className={styles.rack}
      aria-label={`Rack ${at + 1}: ${nodes.length} of ${slots} nodes, ${rack.power_w === null ? 'power not known' : draws}`}
    >
      <div className={styles.frame} aria-hidden="true">
        {Array.from({ length: empty }, (_, place) => (
          <i key={`empty ${place}`} className={styles.empty} />
        ))}
        {nodes.toReversed().map((group, place) => (
          <i
            key={place}
            className={styles.node}
            style={{ '--c': tints[group % tints.length] } as CSSProperties}
            title={`${groups[group]?.name ?? ''}, ${quantity(groups[group]?.power_w, 'W')}`}
          />
        ))}
      </div>
      <p className="small">Rack {at + 1}</p>
      <Bar name="Space" share={nodes.length / slots} value={`${nodes.length} of ${slots}`} />
      <Bar
        name="Power"
        share={(rack.power_w ?? 0) / limit_w}
        value={rack.power_w === null ? '—' : `${draws} of ${quantity(limit_w, 'W')}`}
      />
    </li>
  );
}

function spareText(result: DesignResult): string {
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
}

/** The racks of owned nodes as the comparison fills them: space, power, what binds. */
function RackView({ studyId, design, owned }: RackViewProps) {
  const theme = useTheme();
  const result = useResult(studyId, design.letter);
  const racks = result?.racks;
  const tints = TINTS.map((cause) => causeColor('owned', cause, theme));
  if (!racks) {
    const why = result ? 'no nodes are owned' : 'the study cannot be compared yet';
    return <p className="muted small">Racks: — ({why})</p>;
  }
  const more = racks.racks_count - racks.drawn.length;
  return (
    <section className={styles.view} aria-label={`Racks of design ${design.letter}`}>
      {design.letter !== owned.letter && (
        <p className="muted small">
          The owned side, with the nodes of design {owned.letter}; what is rented stands elsewhere.
        </p>
      )}
      <p>
        {racks.nodes_count.toLocaleString('en-GB')} nodes in{' '}
        {racks.racks_count === 1
          ? 'one rack'
          : `${racks.racks_count.toLocaleString('en-GB')} racks`}
        ,{' '}
        {racks.power_w === null ? 'power not known' : `${quantity(racks.power_w, 'W')} provisioned`}
        .
      </p>
      <p className={racks.fits === false ? 'warning' : 'muted small'}>{racks.sentence}</p>
      <p className="muted small">{spareText(result)}</p>
      <ul className={styles.racks}>
        {racks.drawn.map((rack, at) => (
          <OneRack key={at} rack={rack} at={at} racks={racks} tints={tints} />
        ))}
      </ul>
      {more > 0 && <p className="muted small">and {more.toLocaleString('en-GB')} more racks</p>}
      <div className={`${styles.legend} flow small gap-4-12`}>
        {racks.groups.map(({ name, count }, at) => (
          <span key={name}>
            <i style={{ '--c': tints[at % tints.length] } as CSSProperties} />
            {name} × {count.toLocaleString('en-GB')}
          </span>
        ))}
      </div>
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
