import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { checksQueryOptions } from '../lib/models';
import { paperQueryOptions, papersQueryOptions } from '../lib/papers';

/** How many published checks of a model hold, and how many are off. */
export function ModelChecks({ model }: { model: string }) {
  const checks = useQuery(checksQueryOptions(model));
  if (!checks.data)
    return <span className="muted">{checks.isError ? '' : 'running checks …'}</span>;
  const all = checks.data.length;
  if (all === 0) return null;
  const apart = checks.data.filter(({ outcome }) => outcome === 'apart');
  const failed = checks.data.filter(({ outcome }) => outcome === 'differs').length;
  return (
    <Link to="/method/models/$modelId" params={{ modelId: model }}>
      <span className={failed > 0 ? 'fault' : apart[0] ? '' : 'good'}>
        {all - failed - apart.length} of {all} published checks hold
        {apart[0] && `, ${apart.length} ${apart[0].said}`}
      </span>
    </Link>
  );
}

function Paper({ id, title }: { id: string; title: string }) {
  const error = useQuery(paperQueryOptions(id)).data?.errors[0];
  return (
    <li>
      <p>
        <Link to="/method/papers/$paperId" params={{ paperId: id }}>
          {title}
        </Link>
        {error && `. Measured: ${error.said}`}
      </p>
    </li>
  );
}

interface BehindProps {
  papers: readonly string[];
  /** Models whose own checks stand behind it, where no paper does. */
  models?: readonly string[];
}

/** The papers that numbers rest on, each with its page and how far our models were measured off. */
export function Behind({ papers, models = [] }: BehindProps) {
  const known = useQuery(papersQueryOptions).data ?? [];
  const named = papers.flatMap((id) => known.filter((paper) => paper.id === id));
  return (
    <ul className="bare stack gap-2 muted small" aria-label="Papers and checks behind it">
      {named.map(({ id, title }) => (
        <Paper key={id} id={id} title={title} />
      ))}
      {papers.length === 0 &&
        models.map((model) => (
          <li key={model}>
            <p>
              {model}: <ModelChecks model={model} />
            </p>
          </li>
        ))}
    </ul>
  );
}
