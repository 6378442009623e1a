import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { buttonClass } from '../../../components/button';
import { Select } from '../../../components/control';
import { Failed, Loading } from '../../../components/query-state';
import { date } from '../../../lib/format';
import {
  priceChangesQueryOptions,
  priceListsQueryOptions,
  type PriceChanges as Changes,
  type PriceList,
} from '../api/imports';
import { changesSentence } from '../price-changes';
import styles from './imports.module.css';
import { PreviewTables } from './preview-tables';

function Found({ changes }: { changes: Changes }) {
  return (
    <>
      <p className="num">{changesSentence(changes)}</p>
      <div className="line gap-12">
        <Link to="/outlook" className={buttonClass()}>
          Which studies the catalogue’s prices move
        </Link>
      </div>
      <PreviewTables tables={changes.tables.filter(({ rows }) => rows.length > 0)} />
    </>
  );
}

/** What changed since another list, once one is chosen. */
function Since({ id, lists }: { id: string; lists: readonly PriceList[] }) {
  const [before, setBefore] = useState('');
  const changes = useQuery({
    ...priceChangesQueryOptions(id, before),
    enabled: before !== '',
  });
  const choices = lists.map((one) => ({
    value: one.id,
    label: `${one.file_name}, ${date(one.as_of)}`,
  }));
  return (
    <>
      <div className={`${styles.fields} fill`}>
        <label>
          Changes since
          <Select
            choices={[{ value: '', label: 'Choose a list' }, ...choices]}
            value={before}
            onChange={({ target }) => setBefore(target.value)}
          />
        </label>
      </div>
      {changes.isLoading && <Loading minHeight={160} />}
      {changes.isError && <Failed error={changes.error} minHeight={80} />}
      {changes.data && <Found changes={changes.data} />}
    </>
  );
}

/** A price list beside any other one of its provider that is kept. */
export function PriceChanges({ id, provider }: { id: string; provider: string }) {
  const query = useQuery(priceListsQueryOptions(provider));
  const others = (query.data ?? []).filter((one) => one.id !== id);
  return (
    <section className={styles.panel} aria-label="Beside another list">
      <h2>Beside another list</h2>
      {query.isPending && <Loading minHeight={80} />}
      {query.isError && <Failed error={query.error} minHeight={80} />}
      {query.isSuccess && others.length === 0 && (
        <p className="muted small">
          No other list of this provider is kept. Each list that is imported is kept whole.
        </p>
      )}
      {others.length > 0 && <Since id={id} lists={others} />}
    </section>
  );
}
