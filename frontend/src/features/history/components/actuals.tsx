import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../components/button';
import { Fault } from '../../../components/fault';
import { Panel } from '../../../components/panel';
import { QueryState } from '../../../components/query-state';
import type { ToldFigure } from '../../../components/told/told';
import { ToldChart } from '../../../components/told/told-figures';
import { money, moneyChange, percent, range } from '../../../lib/format';
import { useCurrency } from '../../../lib/studies';
import type { ActualComparison } from '../../../lib/types';
import { actualsQueryOptions, useTakeRange } from '../api/actuals';
import { ActualsEntry } from './actuals-entry';
import styles from './history.module.css';

function Causes({ studyId, found }: { studyId: string; found: ActualComparison }) {
  const take = useTakeRange(studyId);
  const currency = useCurrency(studyId);
  if (found.causes.length === 0) return null;
  return (
    <div className={styles.table} tabIndex={0} role="region" aria-label="Difference by cause">
      <table>
        <thead>
          <tr>
            <th scope="col">Cause</th>
            <th scope="col">Planned</th>
            <th scope="col">Actual</th>
            <th scope="col">Difference</th>
            <th scope="col">As a range of the study</th>
          </tr>
        </thead>
        <tbody>
          {found.causes.map(({ cause, label, planned, actual, difference, offer, ...rest }) => (
            <tr key={cause}>
              <th scope="row">{label}</th>
              <td>{money(planned, currency)}</td>
              <td>{money(actual, currency)}</td>
              <td>
                {moneyChange(difference, currency)}
                {rest.difference_fraction !== null && ` (${percent(rest.difference_fraction)})`}
              </td>
              <td>
                {offer ? (
                  <>
                    {offer.field}: {range(offer.low, offer.high, offer.unit, currency)}{' '}
                    <Button
                      small
                      disabled={take.isPending || (take.isSuccess && take.variables === cause)}
                      onClick={() => take.mutate(cause)}
                    >
                      {take.isSuccess && take.variables === cause
                        ? 'In the study'
                        : 'Put into the study'}
                    </Button>
                  </>
                ) : (
                  <span className="muted">needs three months and a field</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Fault of={take} />
    </div>
  );
}

/** What the approved design really cost, beside the plan. */
export function Actuals({ studyId, mayEdit }: { studyId: string; mayEdit: boolean }) {
  const currency = useCurrency(studyId);
  const query = useQuery(actualsQueryOptions(studyId));
  const found = query.data?.comparison;
  return (
    <Panel
      id="actuals"
      title="Plan against what happened"
      about="What the design cost and used by month, beside the version that was approved last."
    >
      <QueryState
        query={query}
        minHeight={80}
        isEmpty={(held) => held.approved === null}
        empty="Approve a version first: what happened is held against it."
      >
        {(held) => (
          <>
            {found ? (
              <p>
                {held.approved}, design {found.letter}, {found.title}. {found.sentence}
              </p>
            ) : (
              <p className="fault">{held.reason}</p>
            )}
            {found && found.total.months_count > 0 && (
              <ToldChart
                name="Cost so far, planned and actual"
                figure={found.figure as unknown as ToldFigure}
                height={260}
                currency={currency}
              />
            )}
            {found && <Causes studyId={studyId} found={found} />}
            {mayEdit && <ActualsEntry studyId={studyId} held={held} />}
          </>
        )}
      </QueryState>
    </Panel>
  );
}
