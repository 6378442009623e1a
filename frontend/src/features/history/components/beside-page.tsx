import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Chip } from '../../../components/chip';
import { Select } from '../../../components/control';
import { DesignBadge } from '../../../components/design-badge';
import { Empty, Failed, Loading } from '../../../components/query-state';
import { Rich } from '../../../components/rich';
import { Table } from '../../../components/table';
import { figuresOf, type Comparison } from '../../../lib/comparison';
import { date, dateTime, MISSING, money, percent } from '../../../lib/format';
import { resultQueryOptions } from '../../../lib/runs';
import { snapshotDay } from '../../../lib/snapshots';
import { studyChoicesQueryOptions, studyQueryOptions, useCurrency } from '../../../lib/studies';
import type { Run } from '../../../lib/types';
import { historyQueryOptions, runDetailQueryOptions } from '../api/history';
import type { Chosen } from '../search';
import styles from './history.module.css';
import { Changes, Why } from './why';

/** The runs of a study, of which one is chosen. */
function Chooser({ side, study, run, onStudy, onRun }: ChooserProps) {
  const here = useQuery(studyQueryOptions(study)).data;
  const listed = useQuery(studyChoicesQueryOptions).data?.results ?? [];
  const runs = useQuery(historyQueryOptions(study)).data?.results ?? [];
  const studies = listed.some((one) => one.id === study)
    ? listed
    : [...(here ? [here] : []), ...listed];
  const known = runs.some((one) => one.id === run);
  const choices = runs.map((one) => ({ value: one.id, label: dateTime(one.submitted_at) }));
  return (
    <div className="form">
      {onStudy && (
        <label className={styles.wide}>
          <span className="small muted">{side} study</span>
          <Select
            choices={studies.map((one) => ({ value: one.id, label: one.title }))}
            value={study}
            onChange={({ target }) => onStudy(target.value)}
          />
        </label>
      )}
      <label className={styles.wide}>
        <span className="small muted">{side} run</span>
        <Select
          choices={known ? choices : [{ value: run ?? '', label: 'The latest' }, ...choices]}
          value={run ?? ''}
          onChange={({ target }) => onRun(target.value || undefined)}
        />
      </label>
    </div>
  );
}

interface ChooserProps {
  side: 'Left' | 'Right';
  study: string;
  run: string | undefined;
  /** Of one side the study may be another one. */
  onStudy?: (study: string) => void;
  onRun: (run: string | undefined) => void;
}

function Stored({ side, run }: { side: string; run: Run }) {
  const result = useQuery(resultQueryOptions<Comparison>(run.id, figuresOf()));
  if (result.isError) {
    return <Failed error={result.error} onRetry={() => void result.refetch()} minHeight={240} />;
  }
  if (!result.data) return <Loading minHeight={240} />;
  const comparison = result.data;
  const { currency, odds } = comparison;
  return (
    <>
      <p>
        <Rich text={comparison.verdict.headline} />
      </p>
      <Table
        label={`${side} designs`}
        className={styles.table}
        caption={<caption className="small muted">{comparison.measure}</caption>}
        heads={['Design', 'Cost', 'Cheapest in']}
      >
        {comparison.designs.map((design) => (
          <tr key={design.letter}>
            <th scope="row">
              <DesignBadge letter={design.letter} /> {design.title}{' '}
              {comparison.verdict.kind !== 'open' &&
                comparison.verdict.letters.includes(design.letter) && (
                  <Chip tone="good">cheapest</Chip>
                )}
              {!design.carries_load && <Chip tone="warning">does not meet demand</Chip>}
            </th>
            <td className="num nowrap">{money(design.ranked_usd, currency)}</td>
            <td className="num nowrap">
              {odds ? percent(odds.wins[design.letter] ?? 0) : MISSING}
            </td>
          </tr>
        ))}
      </Table>
      <p className="small muted">
        Model {run.model_version}, catalogue of {date(snapshotDay(run.snapshot))}.{' '}
        {run.study && (
          <Link
            to="/studies/$studyId/history/$runId"
            params={{ studyId: run.study, runId: run.id }}
          >
            Open in Compare
          </Link>
        )}
      </p>
    </>
  );
}

interface BesideProps extends Chosen {
  studyId: string;
  onChoose: (chosen: Chosen) => void;
}

/** The run of an id, or else the latest of a study. */
function useRun(study: string, id: string | undefined): Run | null | undefined {
  const named = useQuery({ ...runDetailQueryOptions(id ?? ''), enabled: id !== undefined });
  const listed = useQuery(historyQueryOptions(study));
  if (id !== undefined) return named.isError ? null : named.data;
  return listed.data && (listed.data.results[0] ?? null);
}

/** Two runs as they were kept, of one study or of two, and why their costs differ. */
export function BesidePage({ studyId, left, right, other, onChoose }: BesideProps) {
  const sides = [
    { side: 'Left', study: other ?? studyId, run: useRun(other ?? studyId, left) },
    { side: 'Right', study: studyId, run: useRun(studyId, right) },
  ] as const;
  const currency = useCurrency(studyId);
  const [before, after] = [sides[0].run, sides[1].run];
  const title = (run: Run) => dateTime(run.submitted_at);
  return (
    <div className="stack gap-24">
      <p className="muted">
        Two runs as they were kept.{' '}
        <Link to="/studies/$studyId/history" params={{ studyId }}>
          All runs
        </Link>
      </p>
      <div className={styles.charts}>
        {sides.map(({ side, study, run }) => (
          <section key={side} className="panel" aria-label={`${side} run`}>
            <Chooser
              side={side}
              study={study}
              run={side === 'Left' ? left : right}
              {...(side === 'Left' && {
                onStudy: (to: string) =>
                  onChoose({ right, other: to === studyId ? undefined : to }),
              })}
              onRun={(id) =>
                onChoose(side === 'Left' ? { left: id, right, other } : { left, right: id, other })
              }
            />
            {run === undefined && <Loading minHeight={240} />}
            {run === null && <Empty minHeight={240}>No run of this study is kept.</Empty>}
            {run && <Stored side={side} run={run} />}
          </section>
        ))}
      </div>
      {before && after && before.id !== after.id && (
        <>
          <Why before={before} after={after} currency={currency} />
          <Changes
            before={before}
            after={after}
            currency={currency}
            heads={other ? ['Left', 'Right'] : [title(before), title(after)]}
          />
        </>
      )}
    </div>
  );
}
