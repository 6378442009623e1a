import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useRef, useState, type ChangeEvent } from 'react';
import { Button, buttonClass } from '../../../components/button';
import { Select } from '../../../components/control';
import { Icon } from '../../../components/icon';
import { Bone, Empty, Failed } from '../../../components/query-state';
import { SearchInput } from '../../../components/search-input';
import { messageOf } from '../../../lib/problem';
import { useMayEdit } from '../../../lib/session';
import { useImportStudy } from '../api/change-studies';
import type { StudyCard as Card } from '../../../lib/types';
import {
  studiesQueryOptions,
  tagsQueryOptions,
  type StudyFilter,
  type StudyOrder,
} from '../api/get-studies';
import type { Standing } from '../standing';
import { Dashboard, useStandings } from './dashboard';
import { StudyCard } from './study-card';
import styles from './studies.module.css';

function Bones() {
  return (
    <div className={styles.grid} role="group" aria-busy="true" aria-label="Loading">
      {[0, 1, 2].map((at) => (
        <div key={at} className={styles.card}>
          <Bone width="55%" height={20} />
          <Bone width="95%" />
          <Bone width="88%" />
          <Bone width="40%" />
        </div>
      ))}
    </div>
  );
}

interface CardsProps {
  cards: readonly Card[];
  /** What is said of some of them, by study. */
  notes?: ReadonlyMap<string, string>;
  /** What their cheapest design cost, run by run. */
  costs?: ReadonlyMap<string, readonly number[]>;
}

function Cards({ cards, notes, costs }: CardsProps) {
  return (
    <div className={styles.grid}>
      {cards.map((card) => (
        <StudyCard
          key={card.id}
          card={card}
          note={notes?.get(card.id)}
          costs={costs?.get(card.id)}
        />
      ))}
    </div>
  );
}

function List({ filter, costs }: { filter: StudyFilter; costs: CardsProps['costs'] }) {
  const query = useInfiniteQuery(studiesQueryOptions(filter));
  if (query.isPending) return <Bones />;
  if (query.isError && !query.data) {
    return <Failed error={query.error} onRetry={() => void query.refetch()} minHeight={240} />;
  }
  const cards = query.data.pages.flatMap((page) => page.results);
  if (cards.length === 0) {
    return (
      <Empty minHeight={240}>
        {filter.text || filter.tag || filter.examples !== undefined
          ? 'No study fits.'
          : 'No studies yet. Create the first one.'}
      </Empty>
    );
  }
  return (
    <>
      <Cards cards={cards} costs={costs} />
      {query.hasNextPage && (
        <div className="centred">
          <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {query.isFetchingNextPage ? 'Loading …' : 'Show more'}
          </Button>
        </div>
      )}
    </>
  );
}

function ImportButton() {
  const input = useRef<HTMLInputElement>(null);
  const load = useImportStudy();
  const navigate = useNavigate();
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = '';
    if (!file) return;
    load.mutate(file, {
      onSuccess: (study) => {
        if (study)
          void navigate({ to: '/studies/$studyId/compare', params: { studyId: study.id } });
      },
      onError: (error) => alert(messageOf(error)),
    });
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".yaml,.yml,.json"
        hidden
        onChange={take}
        aria-label="Study file"
      />
      <Button icon="upload" disabled={load.isPending} onClick={() => input.current?.click()}>
        Import
      </Button>
    </>
  );
}

const ORDERS: { value: StudyOrder; label: string }[] = [
  { value: '-updated_at', label: 'Last changed first' },
  { value: 'updated_at', label: 'Last changed last' },
  { value: 'title', label: 'Title, A to Z' },
  { value: '-title', label: 'Title, Z to A' },
  { value: 'cost_usd', label: 'Cheapest first' },
  { value: '-cost_usd', label: 'Dearest first' },
];
const WHOSE = [
  { value: '', label: 'All studies' },
  { value: 'own', label: 'Own studies' },
  { value: 'examples', label: 'Examples' },
];

interface FiltersProps {
  filter: StudyFilter;
  onChange: (filter: StudyFilter) => void;
}

/** Which studies are listed: all, own ones or examples, those with a tag; and their order. */
function Filters({ filter, onChange }: FiltersProps) {
  const tags = useQuery(tagsQueryOptions).data ?? [];
  const whose = filter.examples === undefined ? '' : filter.examples ? 'examples' : 'own';
  return (
    <>
      <Select
        aria-label="Which studies"
        choices={WHOSE}
        value={whose}
        onChange={({ target: { value } }) =>
          onChange({ ...filter, examples: value === '' ? undefined : value === 'examples' })
        }
      />
      {tags.length > 0 && (
        <Select
          aria-label="Tag"
          choices={[
            { value: '', label: 'Any tag' },
            ...tags.map(({ tag, studies_count: count }) => ({
              value: tag,
              label: `${tag} (${count})`,
            })),
          ]}
          value={filter.tag ?? ''}
          onChange={({ target: { value } }) => onChange({ ...filter, tag: value || undefined })}
        />
      )}
      <Select
        aria-label="Order"
        choices={ORDERS}
        value={filter.sort ?? '-updated_at'}
        onChange={({ target: { value } }) => onChange({ ...filter, sort: value as StudyOrder })}
      />
    </>
  );
}

export function StudiesPage() {
  const [text, setText] = useState('');
  const mayEdit = useMayEdit();
  const [filter, setFilter] = useState<StudyFilter>({});
  const [chosen, setChosen] = useState<Standing | null>(null);
  const found = useStandings();
  const standing = chosen ? (found?.studies[chosen] ?? []) : [];
  const wanted = useDeferredValue(text.trim());
  return (
    <main className="page">
      <div className="page-head">
        <h1>Studies</h1>
        <SearchInput
          label="Search studies by title"
          placeholder="Search titles"
          value={text}
          onChange={(next) => {
            setChosen(null);
            setText(next);
          }}
        />
        <div className={`${styles.filters} flow gap-8`}>
          <Filters
            filter={filter}
            onChange={(next) => {
              setChosen(null);
              setFilter(next);
            }}
          />
        </div>
        {mayEdit && (
          <>
            <ImportButton />
            <Link to="/studies/new" className={buttonClass({ look: 'primary' })}>
              <Icon name="plus" /> New study
            </Link>
          </>
        )}
      </div>
      <Dashboard found={found} chosen={chosen} onChoose={setChosen} />
      {standing.length > 0 ? (
        <Cards
          cards={standing}
          notes={chosen === 'moved' ? found?.moves : undefined}
          costs={found?.costs}
        />
      ) : (
        <List filter={{ ...filter, text: wanted || undefined }} costs={found?.costs} />
      )}
    </main>
  );
}
