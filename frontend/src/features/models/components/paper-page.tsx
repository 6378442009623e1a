import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { buttonClass } from '../../../components/button';
import { Icon } from '../../../components/icon';
import { QueryState } from '../../../components/query-state';
import type { ToldFigure } from '../../../components/told/told';
import { ToldChart } from '../../../components/told/told-figures';
import { paperQueryOptions, type PaperRun } from '../../../lib/papers';
import { ChecksRows, KINDS } from './checks-table';
import styles from './models.module.css';

/** Where a planner's own numbers go. */
function opened({ opens, tool, model }: PaperRun): LinkProps {
  if (opens === 'study') return { to: '/studies/new' };
  if (opens === 'model') return { to: '/method/models/$modelId', params: { modelId: model } };
  if (tool === 'arrays') return { to: '/tools/arrays' };
  return { to: '/tools/$tool', params: { tool } };
}

function Fitted({ rows }: Pick<PaperRun, 'rows'>) {
  const fitted = new Map<string, string[]>();
  for (const { title, fitted_to: to } of rows) {
    if (to) fitted.set(to, [...(fitted.get(to) ?? []), title]);
  }
  if (fitted.size === 0) return null;
  return (
    <section>
      <h2>What was fitted</h2>
      <ul className={styles.limits}>
        {[...fitted].map(([to, titles]) => (
          <li key={to}>
            {to} <span className="muted">({titles.join('; ')})</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Limits({ behind }: Pick<PaperRun, 'behind'>) {
  return (
    <section>
      <h2>Models and where they hold</h2>
      <div className="stack gap-16">
        {behind.map(({ id, title, summary, limits }) => (
          <div key={id} className={styles.intro}>
            <p>
              <Link to="/method/models/$modelId" params={{ modelId: id }}>
                {title}
              </Link>{' '}
              <span className="muted">{summary}</span>
            </p>
            <ul className={styles.limits}>
              {limits.map((limit) => (
                <li key={limit}>{limit}</li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}

function Body({ paper }: { paper: PaperRun }) {
  return (
    <div className={styles.model}>
      <header className={styles.intro}>
        <h1>{paper.title}</h1>
        <p className={styles.question}>{paper.question}</p>
        <p className="muted small">{paper.citation}</p>
        <p>
          <Link {...opened(paper)} className={buttonClass({ look: 'primary', small: true })}>
            Try it with your numbers
          </Link>
        </p>
      </header>
      <ToldChart name="Printed and ours" figure={paper.figure as unknown as ToldFigure} />
      <Fitted rows={paper.rows} />
      <section aria-labelledby="checks-title">
        <h2 id="checks-title">Every figure of the paper that is checked</h2>
        <p className="muted small">{KINDS}</p>
        <ChecksRows checks={paper.rows} />
      </section>
      <Limits behind={paper.behind} />
    </div>
  );
}

/** A paper: its question, its experiment run by our models, and how far they are off. */
export function PaperPage({ paperId }: { paperId: string }) {
  const paper = useQuery(paperQueryOptions(paperId));
  return (
    <main className="page">
      <Link to="/method" className={`${styles.crumb} small`}>
        <Icon name="chevronLeft" size={12} /> Method
      </Link>
      <QueryState query={paper} minHeight={480}>
        {(data) => <Body paper={data} />}
      </QueryState>
    </main>
  );
}
