import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { QueryState } from '../../../components/query-state';
import { SearchInput } from '../../../components/search-input';
import type { ModelHead } from '../../../lib/models';
import { words } from '../../../lib/schema';
import { modelsQueryOptions } from '../api/get-models';
import { papersQueryOptions, type PaperHead } from '../../../lib/papers';
import styles from './models.module.css';

const checks = (count: number) => (count === 1 ? '1 check' : `${count} checks`);

const holds = (search: string, ...texts: string[]) =>
  texts.some((text) => text.toLowerCase().includes(search.trim().toLowerCase()));

function byFamily(models: readonly ModelHead[]): [string, ModelHead[]][] {
  const families = new Map<string, ModelHead[]>();
  for (const model of models) {
    families.set(model.family, [...(families.get(model.family) ?? []), model]);
  }
  return [...families];
}

function Papers({ papers }: { papers: readonly PaperHead[] }) {
  return (
    <section className={styles.family}>
      <h2>Papers</h2>
      <ul className="box">
        {papers.map((paper) => (
          <li key={paper.id} className={styles.row}>
            <div className={`${styles.name} stack`}>
              <Link to="/method/papers/$paperId" params={{ paperId: paper.id }}>
                {paper.title}
              </Link>
              <span className="muted small">{paper.citation}</span>
            </div>
            <p>{paper.question}</p>
            <p className={`${styles.right} right small muted`}>{checks(paper.checks_count)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Family({ family, models }: { family: string; models: readonly ModelHead[] }) {
  return (
    <section className={styles.family}>
      <h2>{words(family)}</h2>
      <ul className="box">
        {models.map((model) => (
          <li key={model.id} className={styles.row}>
            <div className={styles.name}>
              <Link to="/method/models/$modelId" params={{ modelId: model.id }}>
                {model.title}
              </Link>
            </div>
            <p className={styles.line} title={model.summary}>
              {model.summary}
            </p>
            <p className={`${styles.right} right small muted`}>{checks(model.checks_count)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The papers, each with its experiment, and every model by its family. */
export function MethodPage() {
  const models = useQuery(modelsQueryOptions);
  const papers = useQuery(papersQueryOptions);
  const [search, setSearch] = useState('');
  const shown = (papers.data ?? []).filter((paper) =>
    holds(search, paper.title, paper.citation, paper.question),
  );
  return (
    <main className="page">
      <header className={styles.head}>
        <h1>Method</h1>
        <p className="muted">
          Published relations as code. Each paper has a page with its own experiment, run by our
          models: the printed figures, ours beside them, and how far the two are apart.
        </p>
      </header>
      <SearchInput
        label="Search papers and models"
        className={styles.search}
        value={search}
        onChange={setSearch}
      />
      {shown.length > 0 && <Papers papers={shown} />}
      <QueryState query={models} minHeight={480}>
        {(list) => {
          const found = list.filter(({ id, title, summary, citations }) =>
            holds(search, id, title, summary, ...citations.map(({ text }) => text)),
          );
          if (found.length === 0 && shown.length === 0) {
            return (
              <p className="muted">Nothing has “{search}” in its title, question or source.</p>
            );
          }
          return byFamily(found).map(([family, members]) => (
            <Family key={family} family={family} models={members} />
          ));
        }}
      </QueryState>
    </main>
  );
}
