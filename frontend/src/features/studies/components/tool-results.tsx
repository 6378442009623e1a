import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconButton } from '../../../components/button';
import { Chip } from '../../../components/chip';
import { Rich } from '../../../components/rich';
import { toolRunsQueryOptions, useForget, type ToolRun } from '../../../lib/tool-runs';
import styles from './tool-results.module.css';

interface OneProps {
  studyId: string;
  of: ToolRun;
  onRemove: () => void;
}

function One({ studyId, of, onRemove }: OneProps) {
  const { tool, title, design, headline, stale } = of;
  return (
    <li className={styles.one}>
      <div className="stack gap-2 shrink">
        <p>
          <strong>{title}</strong>
          {design && <span className="muted"> on design {design}</span>}{' '}
          {stale.length > 0 && <Chip tone="warning">Out of date</Chip>}
        </p>
        {headline && (
          <p>
            <Rich text={headline} />
          </p>
        )}
        {stale.map((reason) => (
          <p key={reason} className="muted small">
            {reason}
          </p>
        ))}
        <p className="small">
          <Link
            to="/tools/$tool"
            params={{ tool }}
            search={{ study: studyId, s: of.state as Record<string, never> }}
          >
            {stale.length > 0 ? 'Open it and add it again' : 'Open with these inputs'}
          </Link>
        </p>
      </div>
      <IconButton small icon="close" label={`Remove ${title} from the study`} onClick={onRemove} />
    </li>
  );
}

/** What tools found for a study, by reference: each says when it is out of date. */
export function ToolResults({ studyId }: { studyId: string }) {
  const found = useQuery(toolRunsQueryOptions(studyId)).data ?? [];
  const forget = useForget(studyId);
  if (found.length === 0) return null;
  return (
    <section id="tool-results" className={styles.panel} aria-labelledby="tool-results-title">
      <h2 id="tool-results-title">Results of tools</h2>
      <ul className="lined">
        {found.map((one) => (
          <One key={one.run} studyId={studyId} of={one} onRemove={() => forget.mutate(one.run)} />
        ))}
      </ul>
    </section>
  );
}
