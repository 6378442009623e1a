import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { Icon } from '../../../components/icon';
import { Empty, Failed, Loading } from '../../../components/query-state';
import { modelQueryOptions, PLAN } from '../../../lib/models';
import { messageOf } from '../../../lib/problem';
import { documentQueryOptions, studyQueryOptions } from '../../../lib/studies';
import { savedQueryOptions } from '../api/evaluate';
import { useSaveMoves } from '../api/save-moves';
import { extraInputs } from '../extra-inputs';
import { defaultPair } from '../figures/options';
import { readMoves, writeMoves, type CompareSearch, type Moves } from '../search';
import { useLive } from '../use-live';
import { Charts } from './charts';
import { DifferenceTable } from './difference-table';
import { ExplainProvider } from './explain';
import { Sliders } from './sliders';
import { VerdictPanel } from './verdict';
import styles from './compare.module.css';

interface ComparePageProps {
  studyId: string;
  search: CompareSearch;
  onSearch: (change: Partial<CompareSearch>) => void;
}

function NotYet({ studyId, error }: { studyId: string; error: unknown }) {
  return (
    <div>
      <Failed error={error} minHeight={160} />
      <Empty minHeight={40}>
        <Link to="/studies/$studyId/designs" params={{ studyId }}>
          Go to the designs
        </Link>
      </Empty>
    </div>
  );
}

export function ComparePage({ studyId, search, onSearch }: ComparePageProps) {
  const study = useQuery(studyQueryOptions(studyId)).data;
  const document = useQuery(documentQueryOptions(studyId));
  const plan = useQuery(modelQueryOptions(PLAN)).data;
  const saved = useQuery(savedQueryOptions(studyId, document.data));
  const settledMoves = useMemo(() => readMoves(search.x), [search.x]);
  const [dragged, setDragged] = useState<Moves | null>(null);
  const live = useLive(document.data, settledMoves);
  const save = useSaveMoves();
  const extra = useMemo(
    () => extraInputs(plan?.params_schema, document.data),
    [plan, document.data],
  );
  const move = useCallback(
    (moves: Moves) => {
      setDragged(moves);
      live.preview(moves);
    },
    [live.preview],
  );
  const release = useCallback(
    (moves: Moves) => {
      setDragged(null);
      live.settle(moves);
      onSearch({ x: writeMoves(moves) });
    },
    [live.settle, onSearch],
  );

  if (document.data && document.data.designs.length === 0) {
    return (
      <Empty minHeight={280}>
        <p>This study has no designs to compare.</p>
        <Link to="/studies/$studyId/designs" params={{ studyId }}>
          Add the first design
        </Link>
      </Empty>
    );
  }
  const failure = document.error ?? saved.error;
  if (failure && !saved.data) return <NotYet studyId={studyId} error={failure} />;
  if (!saved.data) return <Loading minHeight={720} lines={12} />;

  const base = saved.data.result;
  const comparison = live.answer?.result ?? base;
  const held = live.answer !== null && !live.drawn;
  const drawn = held ? base : comparison;
  const { from, to } = defaultPair(base);
  const known = (letter: string | undefined, fallback: string) =>
    comparison.designs.some((design) => design.letter === letter) ? (letter ?? fallback) : fallback;
  const moves = dragged ?? settledMoves;
  const saveMoves = () => {
    if (!study) return;
    save.mutate({ study, moves }, { onSuccess: () => release({}) });
  };
  const error = live.error ?? save.error;
  return (
    <ExplainProvider studyId={studyId}>
      <div className={styles.page}>
        <VerdictPanel comparison={comparison} drawn={drawn} stale={held} />
        <Sliders
          studyId={studyId}
          saved={base}
          moves={moves}
          extra={extra}
          saving={save.isPending}
          onMove={move}
          onRelease={release}
          onSave={saveMoves}
        />
        {error != null && (
          <p className={styles.error} role="alert">
            <Icon name="warning" /> {messageOf(error)}
          </p>
        )}
        <DifferenceTable comparison={comparison} saved={live.answer ? base : null} />
        <ChartsWithPair
          pair={{ from: known(search.from, from), to: known(search.to, to) }}
          comparison={comparison}
          drawn={drawn}
          held={held}
          revision={live.revision}
          discounted={search.npv ?? false}
          onPair={onSearch}
          onDiscounted={(npv) => onSearch({ npv: npv || undefined })}
        />
      </div>
    </ExplainProvider>
  );
}

/** Keeps the pair one object while its letters stay the same, so that charts rest. */
function ChartsWithPair(props: Parameters<typeof Charts>[0]) {
  const { from, to } = props.pair;
  const pair = useMemo(() => ({ from, to }), [from, to]);
  return <Charts {...props} pair={pair} />;
}
