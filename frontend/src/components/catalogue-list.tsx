import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useState, type ReactNode } from 'react';
import { entriesQueryOptions } from '../lib/catalogue';
import type { CatalogueEntry } from '../lib/types';
import { Button } from './button';
import styles from './catalogue-list.module.css';
import { TextInput } from './control';
import { Empty, Failed, Loading } from './query-state';

/** One line of the list; nothing to take leaves it grey. */
export interface CatalogueLine {
  key: string;
  title: string;
  note?: ReactNode;
  onTake: (() => void) | null;
}

const FEW = 12;

interface CatalogueListProps {
  kind: string;
  /** Only entries of this provider. */
  provider?: string;
  /** What is searched, as the field says it. */
  search?: string;
  empty?: string;
  lines: (entries: readonly CatalogueEntry[], wanted: string) => CatalogueLine[];
  /** Offers to take all that are found, also those not yet shown. */
  onTakeAll?: (entries: CatalogueEntry[]) => void;
}

/** The catalogue's lines for what is typed, and more pages while few of them fit. */
function useLines(
  filter: { kind: string; provider?: string },
  wanted: string,
  lines: CatalogueListProps['lines'],
) {
  const query = useInfiniteQuery(entriesQueryOptions({ ...filter, q: wanted }));
  const shown = lines(query.data?.pages.flatMap((page) => page.results) ?? [], wanted);
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const few = hasNextPage && !isFetching && !isError && shown.length < FEW;
  useEffect(() => {
    if (few) void fetchNextPage();
  }, [few, fetchNextPage]);
  return { query, shown, none: query.isSuccess && !hasNextPage && shown.length === 0 };
}

/** Entries of one kind, found by name; one is taken, or all. */
export function CatalogueList({
  kind,
  provider,
  search = 'Search the catalogue',
  empty = 'Nothing in the catalogue fits.',
  lines,
  onTakeAll,
}: CatalogueListProps) {
  const [typed, setTyped] = useState('');
  const wanted = useDeferredValue(typed.trim());
  const { query, shown, none } = useLines({ kind, provider }, wanted, lines);
  const takeAll = async () => {
    let found = query.data;
    for (let more = query.hasNextPage; more;) {
      const next = await query.fetchNextPage();
      if (next.isError) return;
      found = next.data;
      more = next.hasNextPage;
    }
    onTakeAll?.(found?.pages.flatMap((page) => page.results) ?? []);
  };
  return (
    <div className="stack gap-12">
      <TextInput
        type="search"
        placeholder={search}
        aria-label={search}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {query.isPending && <Loading minHeight={240} lines={8} />}
      {query.isError && <Failed error={query.error} onRetry={() => void query.refetch()} />}
      {none && <Empty>{empty}</Empty>}
      {shown.length > 0 && (
        <div className={styles.entries}>
          {shown.map(({ key, title, note, onTake }) => (
            <button
              key={key}
              type="button"
              className={styles.entry}
              disabled={onTake === null}
              onClick={onTake ?? undefined}
            >
              <span>{title}</span>
              {note && <span className="muted small num">{note}</span>}
            </button>
          ))}
          {query.hasNextPage && (
            <Button look="quiet" onClick={() => void query.fetchNextPage()}>
              Show more
            </Button>
          )}
        </div>
      )}
      {onTakeAll && shown.length > 1 && (
        <div>
          <Button small disabled={query.isFetchingNextPage} onClick={() => void takeAll()}>
            Take all that are found
          </Button>
        </div>
      )}
    </div>
  );
}
