import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Button } from '../../../components/button';
import { TextInput } from '../../../components/control';
import { Empty, Failed, Loading, QueryState } from '../../../components/query-state';
import { entriesQueryOptions, snapshotsQueryOptions } from '../../../lib/catalogue';
import { date, unitLabel } from '../../../lib/format';
import { words } from '../../../lib/schema';
import type { CatalogueEntry, CatalogueKind } from '../../../lib/types';
import { kindsQueryOptions } from '../api/get-kinds';
import { columnsOf, fieldLabel, fullValue, shortValue } from '../words';
import { EntryDrawer } from './entry-drawer';
import styles from './catalogue.module.css';

export interface CatalogueSearch {
  kind?: string;
  q?: string;
  entry?: string;
}

const UNSURE = new Set(['recalled', 'assumed']);

function unitOf(entries: readonly CatalogueEntry[], column: string): string {
  if (column === 'year') return '';
  const held = entries.find((entry) => entry.values[column]?.unit);
  return unitLabel(held?.values[column]?.unit);
}

function Table({ entries, onOpen }: { entries: CatalogueEntry[]; onOpen: (slug: string) => void }) {
  const columns = columnsOf(entries);
  const isNumber = (column: string) =>
    entries.some((entry) => typeof entry.values[column]?.value === 'number');
  return (
    <div className={styles.table} tabIndex={0} role="region" aria-label="Catalogue entries">
      <table>
        <thead>
          <tr>
            <th scope="col">Entry</th>
            {columns.map((column) => (
              <th key={column} scope="col" className={isNumber(column) ? styles.number : ''}>
                {fieldLabel(column)}
                <span className={styles.unit}>{unitOf(entries, column)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.slug}>
              <th scope="row">
                <button type="button" onClick={() => onOpen(entry.slug)}>
                  {entry.title}
                </button>
              </th>
              {columns.map((column) => {
                const value = entry.values[column];
                const unsure = value && UNSURE.has(value.quality);
                return (
                  <td
                    key={column}
                    className={`${isNumber(column) ? styles.number : ''} ${unsure ? styles.unsure : ''}`}
                    title={
                      value
                        ? `${fullValue(value)} · ${value.quality}: ${value.source}, ${date(value.as_of)}`
                        : 'not known'
                    }
                  >
                    {shortValue(value)}
                    {unsure && ' ?'}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Entries({
  kind,
  text,
  onOpen,
}: {
  kind: string;
  text: string;
  onOpen: (slug: string) => void;
}) {
  const query = useInfiniteQuery(entriesQueryOptions({ kind, q: text }));
  if (query.isPending) return <Loading minHeight={480} lines={14} />;
  if (!query.data) {
    return <Failed error={query.error} onRetry={() => void query.refetch()} minHeight={320} />;
  }
  const entries = query.data.pages.flatMap((page) => page.results);
  if (entries.length === 0) return <Empty minHeight={320}>Nothing in the catalogue fits.</Empty>;
  return (
    <>
      <Table entries={entries} onOpen={onOpen} />
      {query.hasNextPage && (
        <div className={styles.more}>
          <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {query.isFetchingNextPage ? 'Loading …' : 'Show more'}
          </Button>
        </div>
      )}
    </>
  );
}

interface KindsProps {
  kinds: CatalogueKind[];
  chosen: string;
  onChoose: (kind: string) => void;
}

function Kinds({ kinds, chosen, onChoose }: KindsProps) {
  return (
    <nav className={styles.kinds} aria-label="Kinds of entries">
      {kinds.map(({ kind, entries_count }) => (
        <button
          key={kind}
          type="button"
          aria-pressed={kind === chosen}
          onClick={() => onChoose(kind)}
        >
          {words(kind)} <span className="num">{entries_count}</span>
        </button>
      ))}
    </nav>
  );
}

interface CataloguePageProps {
  search: CatalogueSearch;
  onSearch: (search: CatalogueSearch) => void;
}

/** Hardware, instances, prices and carbon, each value with its source and date. */
export function CataloguePage({ search, onSearch }: CataloguePageProps) {
  const kinds = useQuery(kindsQueryOptions);
  const snapshots = useQuery(snapshotsQueryOptions);
  const [text, setText] = useState(search.q ?? '');
  const wanted = useDeferredValue(text.trim());
  const kind = search.kind ?? kinds.data?.find((entry) => entry.kind === 'instance')?.kind ?? '';
  const newest = snapshots.data?.results[0];
  return (
    <main className="page">
      <header className={styles.head}>
        <h1>Catalogue</h1>
        {newest && (
          <span className="muted small">
            {newest.entries_count.toLocaleString('en-GB')} entries, newest price of{' '}
            {date(newest.as_of)}
          </span>
        )}
        <div className={styles.search}>
          <TextInput
            type="search"
            placeholder="Search the catalogue"
            aria-label="Search the catalogue"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      </header>
      <QueryState query={kinds} minHeight={480}>
        {(list) => (
          <div className={styles.layout}>
            <Kinds
              kinds={list}
              chosen={kind}
              onChoose={(chosen) => onSearch({ ...search, kind: chosen, entry: undefined })}
            />
            <div>
              <Entries
                kind={kind}
                text={wanted}
                onOpen={(entry) => onSearch({ ...search, kind, entry })}
              />
            </div>
          </div>
        )}
      </QueryState>
      {search.entry && (
        <EntryDrawer
          slug={search.entry}
          onClose={() => onSearch({ ...search, entry: undefined })}
        />
      )}
    </main>
  );
}
