import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { TextInput } from '../../../components/control';
import { Fault } from '../../../components/fault';
import { OutlookChanges } from '../../../components/outlook-changes';
import { counted, date, money, movedText } from '../../../lib/format';
import { studyOutlookQueryOptions } from '../../../lib/outlooks';
import { useMayEdit } from '../../../lib/session';
import { studyKey, useCurrency } from '../../../lib/studies';
import type { Study } from '../../../lib/types';
import { keepStudy, saveStudy } from '../api/save';
import { flushDrafts } from '../use-draft';
import styles from './designs.module.css';

function useAsOf(study: Study) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (as_of: string) => {
      await flushDrafts();
      return saveStudy(study.id)({ as_of }, study.revision);
    },
    onSuccess: (saved) => keepStudy(client, saved),
    onSettled: () => client.invalidateQueries({ queryKey: studyKey(study.id) }),
  });
}

/** Says on every screen of a study that it is asked at the prices of a day. */
export function AsOfNote({ study }: { study: Study }) {
  const mayEdit = useMayEdit();
  const choose = useAsOf(study);
  if (!study.as_of) return null;
  return (
    <div className={styles.asOf} role="note" aria-label="Prices as of">
      <strong>At the catalogue of {date(study.as_of)}</strong>
      <span className="small">
        Verdict, runs and reports take these instead of the prices that are entered.
      </span>
      {mayEdit && (
        <Button small disabled={choose.isPending} onClick={() => choose.mutate('')}>
          Back to the entered prices
        </Button>
      )}
    </div>
  );
}

function WouldSay({ study, day }: { study: Study; day: string }) {
  const row = useQuery(studyOutlookQueryOptions(study.id, { as_of: day })).data;
  const currency = useCurrency(study.id);
  if (!row) return null;
  if (row.error) return <p className="small">The study has no answer: {row.error}</p>;
  return (
    <div className="small">
      At the prices of {date(day)} the cheapest design costs {money(row.new_cost_usd, currency)}:{' '}
      {movedText(row.prices_usd, currency)}
      {row.new_winner !== row.winner &&
        `; the cheapest design is ${row.new_winner || 'none'}, not ${row.winner || 'none'}`}
      .{row.prices_count > 0 && <OutlookChanges row={row} />}
      {row.gone_count > 0 && (
        <p className="muted">
          {counted(row.gone_count, 'price')} of that day {row.gone_count === 1 ? 'is' : 'are'} not
          held; what is entered stays.
        </p>
      )}
    </div>
  );
}

/** Chooses the day whose prices a study is asked at, and says first what they would move. */
export function AsOfChoice({ study }: { study: Study }) {
  const mayEdit = useMayEdit();
  const choose = useAsOf(study);
  const [day, setDay] = useState('');
  const today = new Date().toISOString().slice(0, 10);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && day <= today;
  if (study.as_of) return null;
  return (
    <div className={styles.asOfChoice}>
      <label>
        Prices as of{' '}
        <TextInput
          type="date"
          max={today}
          value={day}
          onChange={(event) => setDay(event.target.value)}
        />
      </label>
      {mayEdit && (
        <Button small disabled={!isDay || choose.isPending} onClick={() => choose.mutate(day)}>
          Use the prices of that day
        </Button>
      )}
      {isDay && <WouldSay study={study} day={day} />}
      <Fault of={choose} />
    </div>
  );
}
