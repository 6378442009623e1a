import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Chip } from '../../../components/chip';
import { DesignBadge } from '../../../components/design-badge';
import { MenuButton, MenuItem } from '../../../components/menu';
import { Rich } from '../../../components/rich';
import { date, percent } from '../../../lib/format';
import { useMayEdit } from '../../../lib/session';
import type { StudyCard as Card } from '../../../lib/types';
import { useCopyStudy, useDeleteStudy } from '../api/change-studies';
import { StudyDetails } from './study-details';
import styles from './studies.module.css';

function verdictText(card: Card): string {
  if (card.verdict) return card.verdict.headline;
  if (card.designs.length === 0) return 'No designs yet. Add the first one.';
  const count = card.faults_count ?? 0;
  if (count > 0) return `${count === 1 ? 'One input needs' : `${count} inputs need`} attention.`;
  return 'No verdict yet.';
}

function StudyMenu({ card }: { card: Card }) {
  const copy = useCopyStudy();
  const remove = useDeleteStudy();
  const mayEdit = useMayEdit();
  const [edits, setEdits] = useState(false);
  const confirmDelete = () => {
    if (confirm(`Delete the study "${card.title}" with all its designs?`)) remove.mutate(card.id);
  };
  const file = (format: string) => `/api/v1/studies/${card.id}/export?as=${format}`;
  return (
    <div className={styles.menu}>
      <MenuButton small icon="more" look="quiet" label={`Actions for ${card.title}`}>
        {mayEdit && (
          <>
            <MenuItem onSelect={() => setEdits(true)}>Rename …</MenuItem>
            <MenuItem onSelect={() => copy.mutate(card.id)}>Duplicate</MenuItem>
          </>
        )}
        <MenuItem asChild>
          <a href={file('yaml')} download>
            Export as YAML
          </a>
        </MenuItem>
        <MenuItem asChild>
          <a href={file('json')} download>
            Export as JSON
          </a>
        </MenuItem>
        {mayEdit && <MenuItem onSelect={confirmDelete}>Delete …</MenuItem>}
      </MenuButton>
      {edits && <StudyDetails study={card} onClose={() => setEdits(false)} />}
    </div>
  );
}

/** How the cost of the cheapest design moved from run to run, the last at the right. */
function Sparkline({ costs }: { costs: readonly number[] }) {
  const [low, high] = [Math.min(...costs), Math.max(...costs)];
  const points = costs.map(
    (cost, at) => `${(at / (costs.length - 1)) * 72},${20 - ((cost - low) / (high - low)) * 20}`,
  );
  const [first = 0, last = 0] = [costs[0], costs.at(-1)];
  const moved = first === 0 ? null : (last - first) / Math.abs(first);
  const told = `Cost of the cheapest design over the last ${costs.length} runs: ${last > first ? '+' : ''}${percent(moved)}`;
  return (
    <svg className={styles.sparkline} viewBox="0 0 72 20" role="img" aria-label={told}>
      <title>{told}</title>
      <polyline points={points.join(' ')} />
    </svg>
  );
}

interface StudyCardProps {
  card: Card;
  note?: string;
  /** What the cheapest design cost, run by run. */
  costs?: readonly number[];
}

/** A study with its answer in a sentence. */
export function StudyCard({ card, note, costs }: StudyCardProps) {
  return (
    <article className={styles.card}>
      <div className={`${styles.title} flow gap-8 top`}>
        <h2>
          <Link to="/studies/$studyId/compare" params={{ studyId: card.id }}>
            {card.title}
          </Link>
        </h2>
        {card.is_example && <Chip>example</Chip>}
        {card.tags.map((tag) => (
          <Chip key={tag}>{tag}</Chip>
        ))}
        <StudyMenu card={card} />
      </div>
      <p className={`${styles.verdict} ${card.verdict ? '' : 'muted'}`}>
        <Rich text={verdictText(card)} />
      </p>
      {note && <p className="muted small">{note}</p>}
      <div className={styles.foot}>
        <div className="flex gap-4">
          {card.designs.map((design) => (
            <span key={design.id} title={design.title}>
              <DesignBadge letter={design.letter} />
            </span>
          ))}
        </div>
        {costs && <Sparkline costs={costs} />}
        <span className="muted small">changed {date(card.updated_at)}</span>
      </div>
    </article>
  );
}
