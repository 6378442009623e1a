import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { QueryState } from '../../../components/query-state';
import type { ModelHead } from '../../../lib/models';
import { words } from '../../../lib/schema';
import { modelsQueryOptions } from '../api/get-models';
import { ChecksMark } from './checks-mark';
import styles from './models.module.css';

function byFamily(models: readonly ModelHead[]): [string, ModelHead[]][] {
  const families = new Map<string, ModelHead[]>();
  for (const model of models) {
    families.set(model.family, [...(families.get(model.family) ?? []), model]);
  }
  return [...families];
}

function Row({ model }: { model: ModelHead }) {
  const [citation] = model.citations;
  return (
    <li className={styles.row}>
      <div className={`${styles.name} stack`}>
        <Link to="/models/$modelId" params={{ modelId: model.id }}>
          {model.title}
        </Link>
        <span className={styles.id}>{model.id}</span>
      </div>
      <div>
        <p>{model.summary}</p>
        {citation && <p className="muted small">{citation.text}</p>}
      </div>
      <div className={`${styles.right} right small`}>
        <ChecksMark model={model.id} count={model.checks_count} />
        <p className="muted">version {model.version}</p>
      </div>
    </li>
  );
}

/** Every model, and whether its figures are those of the papers, computed now. */
export function ModelsPage() {
  const models = useQuery(modelsQueryOptions);
  return (
    <main className="page">
      <header className={styles.head}>
        <h1>Models</h1>
        <p className="muted">
          Published relations as code. Each is held against the figures that its paper prints; the
          checks run on the server while you look.
        </p>
      </header>
      <QueryState query={models} minHeight={480}>
        {(list) =>
          byFamily(list).map(([family, members]) => (
            <section key={family} className={styles.family}>
              <h2>{words(family)}</h2>
              <ul className="box">
                {members.map((model) => (
                  <Row key={model.id} model={model} />
                ))}
              </ul>
            </section>
          ))
        }
      </QueryState>
    </main>
  );
}
