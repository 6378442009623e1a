import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Button, buttonClass } from '../../../components/button';
import { TextInput } from '../../../components/control';
import { Icon } from '../../../components/icon';
import { Empty, Failed, Loading, QueryState } from '../../../components/query-state';
import { ViewerNote } from '../../../components/viewer-note';
import { entriesQueryOptions } from '../../../lib/catalogue';
import { monthName } from '../../../lib/format';
import { words } from '../../../lib/schema';
import { useMayEdit } from '../../../lib/session';
import { keep, kept } from '../../../lib/shelf';
import type { CatalogueEntry, CatalogueKind } from '../../../lib/types';
import { kindsQueryOptions } from '../api/get-kinds';
import { facetsQueryOptions } from '../api/own-entries';
import { csvOf, isListed, priceMonths, unitsOf, type Narrowing } from '../filter';
import { columnsOf } from '../words';
import { Columns } from './columns';
import { CompareEntries } from './compare-entries';
import { EntriesTable } from './entries-table';
import { EntryDrawer } from './entry-drawer';
import { Filters } from './filters';
import { ImportTable } from './import-table';
import { OwnEntry } from './own-entry';
import styles from './catalogue.module.css';

export interface CatalogueSearch {
  kind?: string;
  q?: string;
  entry?: string;
}

const COMPARED_MOST = 6;
const shelfOf = (kind: string) => `ampacity.catalogue.columns.${kind}`;

/** The columns of a kind: as they were chosen here last, else those that tell entries apart. */
function useColumns(kind: string, entries: readonly CatalogueEntry[]) {
  const [chosen, setChosen] = useState(() => kept<string[]>(localStorage, shelfOf(kind)));
  const choose = (columns: string[] | null) => {
    keep(localStorage, shelfOf(kind), columns);
    setChosen(columns);
  };
  return { columns: chosen ?? columnsOf(entries), choose };
}

interface ActionsProps {
  kind: string;
  entries: readonly CatalogueEntry[];
  columns: readonly string[];
}

/** Adds own entries: one by a form, many by a table. */
function Add({ kind, entries, columns }: ActionsProps) {
  const [open, setOpen] = useState<'form' | 'table' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Button icon="plus" onClick={() => setOpen('form')}>
        Add an entry
      </Button>
      <Button icon="upload" onClick={() => setOpen('table')}>
        From a table
      </Button>
      {open === 'form' && (
        <OwnEntry kind={kind} units={unitsOf(entries)} starts={columns} onClose={close} />
      )}
      {open === 'table' && <ImportTable kind={kind} columns={columns} onClose={close} />}
    </>
  );
}

/** What prices of a kind are of: months, with how many. */
function PriceDates({ kind }: { kind: string }) {
  const months = priceMonths(useQuery(facetsQueryOptions(kind)).data?.price_on ?? {});
  if (months.length === 0) return null;
  const told = months.map(([month, count]) => `${monthName(month)} (${count})`);
  return <p className="muted small">Prices of {told.join(', ')}</p>;
}

interface ElsewhereProps {
  kinds: readonly CatalogueKind[];
  onKind: (kind: string) => void;
}

/** Which other kinds have entries that the words find. */
function Elsewhere({ kinds, onKind }: ElsewhereProps) {
  const found = kinds.filter((one) => isListed(one) && one.entries_count > 0);
  if (found.length === 0) return <Empty minHeight={320}>Nothing in the catalogue fits.</Empty>;
  return (
    <Empty minHeight={320}>
      Nothing of this kind fits. Found among others:
      {found.map(({ kind, entries_count }) => (
        <Button key={kind} small onClick={() => onKind(kind)}>
          {words(kind)} {entries_count}
        </Button>
      ))}
    </Empty>
  );
}

interface EntriesProps extends ElsewhereProps {
  kind: string;
  text: string;
  onOpen: (slug: string) => void;
}

function Entries({ kind, text, kinds, onKind, onOpen }: EntriesProps) {
  const [narrowing, setNarrowing] = useState<Narrowing>({});
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [compares, setCompares] = useState(false);
  const query = useInfiniteQuery(entriesQueryOptions({ kind, q: text, ...narrowing }));
  const entries = query.data?.pages.flatMap((page) => page.results) ?? [];
  const { columns, choose } = useColumns(kind, entries);
  const mayEdit = useMayEdit();
  const toggle = (slug: string) =>
    setChosen(
      (now) => new Set(now.has(slug) ? [...now].filter((one) => one !== slug) : [...now, slug]),
    );
  const compared = entries.filter(({ slug }) => chosen.has(slug)).slice(0, COMPARED_MOST);
  return (
    <>
      <Filters kind={kind} narrowing={narrowing} onChange={setNarrowing} />
      <div className="line gap-8">
        <Button
          icon="diff"
          disabled={compared.length < 2}
          title={compared.length < 2 ? 'Tick at least two entries' : undefined}
          onClick={() => setCompares(true)}
        >
          Compare{compared.length > 0 ? ` ${compared.length}` : ''}
        </Button>
        <Columns fields={Object.keys(unitsOf(entries))} shown={columns} onChange={choose} />
        {mayEdit && <Add kind={kind} entries={entries} columns={columns} />}
        <a
          className={buttonClass()}
          href={csvOf(kind, text, narrowing)}
          title="Save these entries as a table"
          download
        >
          <Icon name="download" /> CSV
        </a>
        <PriceDates kind={kind} />
      </div>
      {narrowing.sort && (
        <p className="muted small">Entries that do not say what is sorted by are left out.</p>
      )}
      {query.isPending ? (
        <Loading minHeight={480} lines={14} />
      ) : !query.data ? (
        <Failed error={query.error} onRetry={() => void query.refetch()} minHeight={320} />
      ) : entries.length === 0 ? (
        <Elsewhere kinds={text ? kinds : []} onKind={onKind} />
      ) : (
        <EntriesTable
          entries={entries}
          columns={columns}
          sort={narrowing.sort}
          onSort={(sort) => setNarrowing({ ...narrowing, sort })}
          chosen={chosen}
          onChoose={toggle}
          onOpen={onOpen}
        />
      )}
      {query.hasNextPage && (
        <div className="centred">
          <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {query.isFetchingNextPage ? 'Loading …' : 'Show more'}
          </Button>
        </div>
      )}
      {compares && <CompareEntries entries={compared} onClose={() => setCompares(false)} />}
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
      {kinds.filter(isListed).map(({ kind, entries_count }) => (
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
  const [text, setText] = useState(search.q ?? '');
  const wanted = useDeferredValue(text.trim());
  const kinds = useQuery(kindsQueryOptions(wanted));
  const kind = search.kind ?? kinds.data?.find((entry) => entry.kind === 'instance')?.kind ?? '';
  const choose = (chosen: string) => onSearch({ ...search, kind: chosen, entry: undefined });
  return (
    <main className="page">
      <header className="page-head">
        <h1>Catalogue</h1>
        <div className={styles.search}>
          <TextInput
            type="search"
            placeholder="Name, place, 192 cores, 256 GB"
            aria-label="Search the catalogue"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      </header>
      <ViewerNote can="search and compare entries" cannot="add or change them" />
      <QueryState query={kinds} minHeight={480}>
        {(list) => (
          <div className={styles.layout}>
            <Kinds kinds={list} chosen={kind} onChoose={choose} />
            <div className="stack gap-12">
              <Entries
                key={kind}
                kind={kind}
                text={wanted}
                kinds={list}
                onKind={choose}
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
