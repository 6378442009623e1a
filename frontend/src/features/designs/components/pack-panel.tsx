import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Chip, qualityWord } from '../../../components/chip';
import { Select } from '../../../components/control';
import { Fault } from '../../../components/fault';
import { OutlookChanges } from '../../../components/outlook-changes';
import { Table } from '../../../components/table';
import { date, money, movedText, quantity, type Currency } from '../../../lib/format';
import { studyOutlookQueryOptions } from '../../../lib/outlooks';
import { packsQueryOptions, studyPackQueryOptions, useFollowPack } from '../../../lib/packs';
import { useMayEdit } from '../../../lib/session';
import { useCurrency } from '../../../lib/studies';
import type { Study, StudyPack, StudyPackNumber } from '../../../lib/types';
import { flushDrafts } from '../use-draft';
import styles from './designs.module.css';

const STANDINGS: Record<
  StudyPackNumber['standing'],
  { label: string; tone: 'good' | 'warning' | 'neutral' }
> = {
  followed: { label: 'follows', tone: 'good' },
  newer: { label: 'newer in the pack', tone: 'warning' },
  differs: { label: 'differs from the pack', tone: 'warning' },
  same: { label: 'equal', tone: 'neutral' },
};

const FOLLOWS = new Set<StudyPackNumber['standing']>(['followed', 'newer']);
const leftOf = (pack: StudyPack | undefined) =>
  (pack?.numbers ?? []).filter(({ standing }) => !FOLLOWS.has(standing)).map(({ place }) => place);

interface NumbersProps {
  pack: StudyPack;
  currency: Currency;
  /** Follows a place or leaves it; without it neither can be chosen. */
  onLeave?: (place: string, leave: boolean) => void;
}

function Numbers({ pack, currency, onLeave }: NumbersProps) {
  return (
    <Table
      label={pack.title}
      heads={[
        'Assumption',
        { label: 'Study', className: 'num' },
        { label: 'Pack', className: 'num' },
        'Source',
        'Standing',
      ]}
      acts={Boolean(onLeave)}
    >
      {pack.numbers.map((row) => (
        <tr key={row.place}>
          <th scope="row">
            {row.title}
            {row.letter && ` (${row.letter})`}
          </th>
          <td className="num">{quantity(row.value, row.unit, currency)}</td>
          <td className="num">{quantity(row.pack_value, row.unit, currency)}</td>
          <td className="small">
            {row.source}, {qualityWord(row.quality)}
            {row.as_of && `, ${date(row.as_of)}`}
          </td>
          <td>
            <Chip tone={STANDINGS[row.standing].tone}>{STANDINGS[row.standing].label}</Chip>
          </td>
          {onLeave && (
            <td>
              <Button
                small
                aria-label={`${FOLLOWS.has(row.standing) ? 'Leave' : 'Follow'}: ${row.title}${row.letter && ` (${row.letter})`}`}
                onClick={() => onLeave(row.place, FOLLOWS.has(row.standing))}
              >
                {FOLLOWS.has(row.standing) ? 'Leave' : 'Follow'}
              </Button>
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}

/** What following a pack would move, before anybody decides. */
function WouldMove({ study, slug }: { study: Study; slug: string }) {
  const row = useQuery(studyOutlookQueryOptions(study.id, { pack: slug })).data;
  const currency = useCurrency(study.id);
  if (!row) return null;
  if (row.error) return <p className="small">With it the study has no answer: {row.error}</p>;
  if (row.prices_count === 0) return null;
  const moved = movedText(row.prices_usd, currency);
  return (
    <div className="small">
      With it the cheapest design costs {money(row.new_cost_usd, currency)}: {moved}
      {row.new_winner !== row.winner &&
        `; the cheapest design is ${row.new_winner || 'none'}, not ${row.winner || 'none'}`}
      .
      <OutlookChanges row={row} />
    </div>
  );
}

function usePack(study: Study) {
  const [chosen, setChosen] = useState('');
  const slug = chosen || study.pack;
  const asked = studyPackQueryOptions(study.id, chosen);
  const pack = useQuery({ ...asked, enabled: slug !== '' }).data;
  const follow = useFollowPack(study.id);
  const isFollowed = slug !== '' && slug === study.pack;
  const isNewer = isFollowed && pack !== undefined && pack.latest_version > pack.version;
  const take = async (given: Parameters<typeof follow.mutate>[0]) => {
    await flushDrafts();
    follow.mutate(given, { onSuccess: () => setChosen('') });
  };
  return { slug, pack, follow, isFollowed, isNewer, take, setChosen };
}

type Followed = ReturnType<typeof usePack> & { study: Study };

function PackActions({ slug, pack, follow, isFollowed, isNewer, take }: Followed) {
  if (!slug || !pack) return null;
  return (
    <>
      {(!isFollowed || isNewer) && (
        <Button small disabled={follow.isPending} onClick={() => void take({ entry: slug })}>
          {isNewer ? `Take version ${pack.latest_version}` : 'Follow this pack'}
        </Button>
      )}
      {isFollowed && (
        <Button small disabled={follow.isPending} onClick={() => void take(null)}>
          Follow no pack
        </Button>
      )}
    </>
  );
}

function PackHead(props: Followed) {
  const { study, slug, pack, isFollowed, isNewer, setChosen } = props;
  const mayEdit = useMayEdit();
  const packs = useQuery(packsQueryOptions).data ?? [];
  const choices = packs.map(({ slug: value, title }) => ({
    value,
    label: value === study.pack ? `${title} (followed)` : title,
  }));
  const none = study.pack ? [] : [{ value: '', label: 'None' }];
  return (
    <div className={styles.packLine}>
      <h2 id="pack-title">Assumption pack</h2>
      <Select
        aria-label="Assumption pack"
        value={slug}
        choices={[...none, ...choices]}
        onChange={(event) => setChosen(event.target.value)}
      />
      {isFollowed && pack && !pack.is_gone && (
        <Chip tone={isNewer ? 'warning' : 'good'}>
          version {pack.version}
          {isNewer && ` of ${pack.latest_version}`}
        </Chip>
      )}
      {mayEdit && <PackActions {...props} />}
    </div>
  );
}

/** The pack of assumptions that a study follows, and others to follow or look at. */
export function PackPanel({ study }: { study: Study }) {
  const mayEdit = useMayEdit();
  const currency = useCurrency(study.id);
  const held = usePack(study);
  const { slug, pack, follow, isFollowed, isNewer } = held;
  const isOffered = slug !== '' && (!isFollowed || isNewer);
  const leave = (place: string, leaves: boolean) => {
    const left = leftOf(pack).filter((one) => one !== place);
    void held.take({ entry: slug, left: leaves ? [...left, place] : left });
  };
  const numbers = pack?.numbers ?? [];
  return (
    <section className={styles.pack} aria-labelledby="pack-title">
      <PackHead {...held} study={study} />
      {pack?.is_gone && <p className="small">The pack was deleted; its numbers stay.</p>}
      {isOffered && <WouldMove study={study} slug={slug} />}
      <Fault of={follow} />
      {pack && numbers.length > 0 && (
        <details open={isOffered}>
          <summary>
            {numbers.length} assumptions,{' '}
            {numbers.filter(({ standing }) => standing === 'differs').length} differ from the pack
          </summary>
          <Numbers
            pack={pack}
            currency={currency}
            onLeave={mayEdit && isFollowed ? leave : undefined}
          />
        </details>
      )}
    </section>
  );
}
