import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useRef, useState, type ChangeEvent } from 'react';
import { Button, buttonClass } from '../../../components/button';
import { TextInput } from '../../../components/control';
import { Icon } from '../../../components/icon';
import { Bone, Empty, Failed } from '../../../components/query-state';
import { messageOf } from '../../../lib/problem';
import { useImportStudy } from '../api/change-studies';
import { studiesQueryOptions } from '../api/get-studies';
import { StudyCard } from './study-card';
import styles from './studies.module.css';

function Bones() {
  return (
    <div className={styles.grid} aria-busy="true" aria-label="Loading">
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

function List({ text }: { text: string }) {
  const query = useInfiniteQuery(studiesQueryOptions(text));
  if (query.isPending) return <Bones />;
  if (query.isError && !query.data) {
    return <Failed error={query.error} onRetry={() => void query.refetch()} minHeight={240} />;
  }
  const cards = query.data.pages.flatMap((page) => page.results);
  if (cards.length === 0) {
    return (
      <Empty minHeight={240}>
        {text ? `No study has "${text}" in its title.` : 'No studies yet. Create the first one.'}
      </Empty>
    );
  }
  return (
    <>
      <div className={styles.grid}>
        {cards.map((card) => (
          <StudyCard key={card.id} card={card} />
        ))}
      </div>
      {query.hasNextPage && (
        <div className={styles.more}>
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

export function StudiesPage() {
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text.trim());
  return (
    <main className="page">
      <div className={styles.head}>
        <h1>Studies</h1>
        <div className={styles.search}>
          <Icon name="search" />
          <TextInput
            type="search"
            placeholder="Search titles"
            aria-label="Search studies by title"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <ImportButton />
        <Link to="/studies/new" className={buttonClass({ look: 'primary' })}>
          <Icon name="plus" /> New study
        </Link>
      </div>
      <List text={wanted} />
    </main>
  );
}
