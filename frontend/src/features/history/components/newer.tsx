import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../components/button';
import { Chip } from '../../../components/chip';
import { Fault } from '../../../components/fault';
import { OutlookChanges } from '../../../components/outlook-changes';
import { Rich } from '../../../components/rich';
import { counted, money, moneyChange, movedText } from '../../../lib/format';
import { studyOutlookQueryOptions, useTakePrices } from '../../../lib/outlooks';
import { useMayEdit } from '../../../lib/session';
import { useCurrency } from '../../../lib/studies';
import type { StudyOutlook } from '../../../lib/types';
import styles from './history.module.css';

const measured = ({ simulations_count: count }: StudyOutlook) =>
  count > 0 ? `mean of ${counted(count, 'simulation')}` : 'as entered';

/** Whether prices or the model have moved since, with what a new run would say. */
export function Newer({ studyId }: { studyId: string }) {
  const row = useQuery(studyOutlookQueryOptions(studyId)).data;
  const take = useTakePrices();
  const mayEdit = useMayEdit();
  const currency = useCurrency(studyId);
  if (!row || (row.prices_count === 0 && (row.model_usd ?? 0) === 0)) return null;
  return (
    <section className="panel" aria-labelledby="newer-title">
      <div className={`${styles.line} line apart gap-8-16`}>
        <div>
          <h2 id="newer-title">
            Stale <Chip tone={row.moved ? 'warning' : 'neutral'}>{measured(row)}</Chip>
          </h2>
          {row.prices_count > 0 && (
            <p>
              At the catalogue’s present prices the cheapest design costs{' '}
              {money(row.new_cost_usd, currency)}: {movedText(row.prices_usd, currency)}.
            </p>
          )}
          {row.model_usd !== null && (
            <p>
              The latest run is of model version {row.model_version}; the present one says{' '}
              {row.model_usd === 0 ? 'the same' : `${moneyChange(row.model_usd, currency)} for it`}.
            </p>
          )}
          <p className="muted">
            A new run would say: <Rich text={row.new_headline || row.error} />
          </p>
          {row.prices_count > 0 && <OutlookChanges row={row} />}
        </div>
        {mayEdit && row.prices_count > 0 && (
          <Button disabled={take.isPending} onClick={() => take.mutate(studyId)}>
            Take the prices
          </Button>
        )}
      </div>
      <Fault of={take} />
    </section>
  );
}
