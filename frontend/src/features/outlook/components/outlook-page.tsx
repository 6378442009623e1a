import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../../../components/button';
import { Fault } from '../../../components/fault';
import { JobRow } from '../../../components/job-row';
import { OutlookChanges } from '../../../components/outlook-changes';
import { Empty, QueryState } from '../../../components/query-state';
import { Table } from '../../../components/table';
import {
  dateTime,
  money,
  movedText,
  percent,
  statedCurrency,
  type Currency,
} from '../../../lib/format';
import { isEnded } from '../../../lib/job-events';
import {
  outlookQueryOptions,
  outlooksQueryOptions,
  useCancelOutlook,
  useStartOutlook,
  useTakePrices,
} from '../../../lib/outlooks';
import { useMayEdit } from '../../../lib/session';
import type { Outlook, StudyOutlook } from '../../../lib/types';
import styles from './outlook.module.css';

function Take({ row }: { row: StudyOutlook }) {
  const take = useTakePrices();
  if (take.isSuccess) return <span className="muted small">Taken; Undo is in the study.</span>;
  return (
    <>
      <Button small disabled={take.isPending} onClick={() => take.mutate(row.study)}>
        Take the prices<span className="visually-hidden"> in {row.title}</span>
      </Button>
      <Fault of={take} small />
    </>
  );
}

interface ChangeProps {
  usd: number | null;
  share: number | null;
  currency: Currency;
}

function Change({ usd, share, currency }: ChangeProps) {
  if (usd === null) return '—';
  return (
    <>
      {movedText(usd, currency)}
      {share !== null && (
        <span className="muted small">
          {' '}
          {share > 0 && '+'}
          {percent(share)}
        </span>
      )}
    </>
  );
}

function Verdict({ row }: { row: StudyOutlook }) {
  if (row.error) return <span>No answer at the newest prices: {row.error}</span>;
  const [before, after] = [row.winner || 'none', row.new_winner || 'none'];
  return before === after ? before : <strong>{`${before} → ${after}`}</strong>;
}

function MovedRow({ row, mayEdit }: { row: StudyOutlook; mayEdit: boolean }) {
  const currency = statedCurrency(row.currency);
  return (
    <tr>
      <th scope="row">
        <Link to="/studies/$studyId/history" params={{ studyId: row.study }}>
          {row.title}
        </Link>
      </th>
      <td>
        <Verdict row={row} />
      </td>
      <td className="num">{money(row.cost_usd, currency)}</td>
      <td className="num">
        <Change usd={row.prices_usd} share={row.prices_fraction} currency={currency} />
      </td>
      <td className="num">
        <Change usd={row.model_usd} share={null} currency={currency} />
        {row.model_version && <span className="muted small"> since {row.model_version}</span>}
      </td>
      <td>
        {row.prices_count > 0 && <OutlookChanges row={row} />}
        {row.prices_count > 0 && mayEdit && <Take row={row} />}
      </td>
    </tr>
  );
}

function Outlooks({ rows }: { rows: readonly StudyOutlook[] }) {
  const mayEdit = useMayEdit();
  return (
    <Table
      label="Studies that would move"
      className={styles.table}
      heads={['Study', 'Cheapest', 'Cost as saved', 'By prices', 'By model version', 'Catalogue']}
    >
      {rows.map((row) => (
        <MovedRow key={row.study} row={row} mayEdit={mayEdit} />
      ))}
    </Table>
  );
}

function Found({ outlook }: { outlook: Outlook }) {
  const detail = useQuery(outlookQueryOptions(outlook.id));
  const count = outlook.studies_count;
  return (
    <QueryState query={detail} minHeight={240}>
      {({ rows }) => {
        const moved = (rows ?? []).filter((row) => row.moved);
        return (
          <>
            <p data-testid="outlook" className="below">
              <strong>
                {moved.length === 0 ? 'No study' : `${moved.length} of ${count} studies`} would
                move.
              </strong>{' '}
              <span className="muted">Looked at {dateTime(outlook.ended_at)}.</span>
            </p>
            {moved.length > 0 ? (
              <Outlooks rows={moved} />
            ) : (
              <Empty>
                {count === 0
                  ? 'No study is complete.'
                  : `All ${count} complete studies cost the same at the catalogue’s present prices.`}
              </Empty>
            )}
          </>
        );
      }}
    </QueryState>
  );
}

function Working({ outlook }: { outlook: Outlook }) {
  const cancel = useCancelOutlook();
  return (
    <JobRow
      title={`${outlook.studies_count} studies`}
      job={outlook}
      cancelling={cancel.isPending}
      onCancel={() => cancel.mutate(outlook.id)}
    />
  );
}

function StartButton({ word, disabled }: { word: string; disabled: boolean }) {
  const start = useStartOutlook();
  return (
    <>
      <Button look="primary" disabled={start.isPending || disabled} onClick={() => start.mutate()}>
        {word}
      </Button>
      <Fault of={start} />
    </>
  );
}

function Latest({ list }: { list: readonly Outlook[] }) {
  const latest = list[0];
  const ended = list.find((one) => one.state === 'succeeded');
  if (!latest) return <Empty>Nobody has looked yet.</Empty>;
  return (
    <>
      {latest.state !== 'succeeded' && <Working outlook={latest} />}
      {ended && <Found key={ended.id} outlook={ended} />}
    </>
  );
}

/** Which studies newer prices, or the model's present version, would move, and by how much. */
export function OutlookPage() {
  const list = useQuery(outlooksQueryOptions);
  const mayEdit = useMayEdit();
  const latest = list.data?.[0];
  return (
    <main className="page">
      <div className="page-head">
        <h1>What newer prices would move</h1>
        {mayEdit && (
          <StartButton
            word={latest ? 'Look again' : 'Look at all studies'}
            disabled={latest !== undefined && !isEnded(latest.state)}
          />
        )}
      </div>
      <p className="muted">
        Every complete study, compared at the catalogue’s present prices and by the model’s present
        version. Costs are as entered, without simulations. Nothing is changed.
      </p>
      <QueryState query={list} minHeight={240}>
        {(found) => <Latest list={found} />}
      </QueryState>
    </main>
  );
}
