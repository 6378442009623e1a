import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Behind } from '../../../components/behind';
import { Icon } from '../../../components/icon';
import { QueryState } from '../../../components/query-state';
import { mathText } from '../../../lib/math-text';
import { modelQueryOptions, type Citation, type Formula, type Model } from '../../../lib/models';
import { ChecksTable } from './checks-table';
import type { ModelSearch } from '../address';
import { TryIt } from './try-it';
import styles from './models.module.css';

interface ModelPageProps {
  modelId: string;
  search: ModelSearch;
  onSearch: (search: ModelSearch) => void;
}

function FormulaCard({ formula }: { formula: Formula }) {
  const symbols = Object.entries(formula.symbols);
  return (
    <article className={styles.formula}>
      <code>{mathText(formula.text)}</code>
      {symbols.length > 0 && (
        <dl className={`${styles.symbols} small`}>
          {symbols.map(([symbol, meaning]) => (
            <div key={symbol} style={{ display: 'contents' }}>
              <dt>{symbol}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      )}
      <p className="muted small">{formula.source}</p>
    </article>
  );
}

function CitationLine({ citation }: { citation: Citation }) {
  return (
    <li>
      {citation.url ? (
        <a href={citation.url} target="_blank" rel="noreferrer">
          {citation.text}
        </a>
      ) : (
        citation.text
      )}
      {citation.section && <span className="muted">, {citation.section}</span>}
    </li>
  );
}

function Body({ model, search, onSearch }: Omit<ModelPageProps, 'modelId'> & { model: Model }) {
  return (
    <div className={styles.model}>
      <header className={styles.intro}>
        <h1>{model.title}</h1>
        <p>{model.summary}</p>
        <p className="flow gap-4-16 muted small">
          <code>{model.id}</code>
          <span>version {model.version}</span>
          <span>{model.instant ? 'answers at once' : 'runs as a job'}</span>
        </p>
        <Behind papers={model.papers.map(({ id }) => id)} />
      </header>
      <TryIt model={model} search={search} onSearch={onSearch} />
      <ChecksTable model={model.id} />
      {model.formulas.length > 0 && (
        <section id="equations">
          <h2>Equations</h2>
          <div className={styles.formulas}>
            {model.formulas.map((formula) => (
              <FormulaCard key={formula.id} formula={formula} />
            ))}
          </div>
        </section>
      )}
      {model.citations.length > 0 && (
        <section>
          <h2>Sources</h2>
          <ul className={styles.citations}>
            {model.citations.map((citation) => (
              <CitationLine key={`${citation.text} ${citation.section}`} citation={citation} />
            ))}
          </ul>
        </section>
      )}
      {model.limits.length > 0 && (
        <section>
          <h2>Where it holds</h2>
          <ul className={styles.limits}>
            {model.limits.map((limit) => (
              <li key={limit}>{limit}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

export function ModelPage({ modelId, search, onSearch }: ModelPageProps) {
  const model = useQuery(modelQueryOptions(modelId));
  return (
    <main className="page">
      <Link to="/method" className={`${styles.crumb} small`}>
        <Icon name="chevronLeft" size={12} /> Method
      </Link>
      <QueryState query={model} minHeight={480}>
        {(data) => <Body key={modelId} model={data} search={search} onSearch={onSearch} />}
      </QueryState>
    </main>
  );
}
