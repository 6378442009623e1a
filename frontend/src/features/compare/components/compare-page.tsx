import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { Behind } from '../../../components/behind';
import { Icon } from '../../../components/icon';
import { Empty, Loading } from '../../../components/query-state';
import { Warnings } from '../../../components/warnings';
import { modelQueryOptions, PLAN } from '../../../lib/models';
import { figuresOf, pairOf, type Comparison } from '../../../lib/comparison';
import { messageOf, Offline } from '../../../lib/problem';
import { useAway } from '../../../lib/service';
import { useMayEdit } from '../../../lib/session';
import { documentQueryOptions, studyQueryOptions } from '../../../lib/studies';
import type { Json } from '../../../lib/pointer';
import type { Study, StudyDocument } from '../../../lib/types';
import { changesOf, savedQueryOptions, type Ranges } from '../api/evaluate';
import { useSaveMoves } from '../api/save-moves';
import { extraInputs } from '../extra-inputs';
import { changed } from '../moved';
import { readMoves, writeMoves, type CompareSearch, type Moves } from '../search';
import { useLive } from '../use-live';
import { Alternatives } from './alternatives';
import { Charts, Cumulative, viewsOf } from './charts';
import { Confirm } from './confirm';
import { DifferenceTable } from './difference-table';
import { ExplainProvider } from './explain';
import { LikeForLikePanel } from './like-for-like';
import { NotYet } from './not-yet';
import { Quantities } from './quantities';
import { Searched } from './searched';
import { Sliders } from './sliders';
import { overviewClass, ViewTabs } from './view-tabs';
import { AsEntered, VerdictPanel } from './verdict';
import styles from './compare.module.css';

interface ComparePageProps {
  studyId: string;
  search: CompareSearch;
  onSearch: (change: Partial<CompareSearch>) => void;
}

interface LoadedProps extends ComparePageProps {
  study: Study | undefined;
  document: StudyDocument;
  base: Comparison;
  /** Whether the base is of before a saved change, whose answer is on its way. */
  renewing: boolean;
}

/** Slider positions: while one is held, those of the hand; else those of the address. */
function useMoves({ document, search, onSearch }: LoadedProps, figures: string) {
  const settled = useMemo(() => readMoves(search.x), [search.x]);
  const [dragged, setDragged] = useState<Moves | null>(null);
  const live = useLive(document, settled, figures);
  const { preview, settle } = live;
  const move = useCallback(
    (moves: Moves) => {
      setDragged(moves);
      preview(moves);
    },
    [preview],
  );
  const release = useCallback(
    (moves: Moves) => {
      setDragged(null);
      settle(moves);
      onSearch({ x: writeMoves(moves) });
    },
    [settle, onSearch],
  );
  return { live, moves: dragged ?? settled, move, release };
}

function usePair(base: Comparison, search: CompareSearch) {
  const fallback = pairOf(base);
  const known = (letter: string | undefined, other: string) =>
    base.designs.some((design) => design.letter === letter) ? (letter ?? other) : other;
  const from = known(search.from, fallback.from);
  const to = known(search.to, fallback.to);
  // One object while its letters stay the same, so that charts rest.
  return useMemo(() => ({ from, to }), [from, to]);
}

/** The papers of the equations that made the costs of this study, looked up once it is opened. */
function PapersBehind({ comparison }: { comparison: Comparison }) {
  const [open, setOpen] = useState(false);
  const plan = useQuery(modelQueryOptions(PLAN)).data;
  const used = new Set(
    comparison.designs.flatMap(({ causes }) => causes.map(({ formula }) => formula)),
  );
  const papers = (plan?.formulas ?? []).flatMap(({ id, papers }) => (used.has(id) ? papers : []));
  if (papers.length === 0) return null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Papers behind these numbers</summary>
      {open && <Behind papers={[...new Set(papers)]} />}
    </details>
  );
}

function Loaded(props: LoadedProps) {
  const { studyId, study, document, base, renewing, search, onSearch } = props;
  const plan = useQuery(modelQueryOptions(PLAN)).data;
  const pair = usePair(base, search);
  const { live, moves, move, release } = useMoves(props, figuresOf(pair.from, pair.to));
  const save = useSaveMoves();
  const mayEdit = useMayEdit();
  const extra = useMemo(() => extraInputs(plan?.params_schema, document), [plan, document]);
  const comparison = live.answer ?? base;
  const held = live.answer !== null && live.held;
  const error = live.error ?? save.error;
  // The page's head says what is away; the last answer stands, dimmed.
  const isMissed = useAway().length > 0 && error instanceof Offline;
  const pending = renewing || live.pending || isMissed;
  const changes = live.answer?.moved;
  const shownDocument = useMemo(() => changed(document, changes ?? {}), [document, changes]);
  const saveMoves = (ranges: Ranges) => {
    if (!study) return;
    const moving = () => changesOf(document, moves, ranges);
    save.mutate({ study, moves: moving }, { onSuccess: () => release({}) });
  };
  const views = viewsOf(comparison);
  // A part with nothing to show is the overview.
  const view = search.view && views.includes(search.view) ? search.view : undefined;
  const sliders = {
    saved: base,
    flips: comparison.flips,
    moves,
    extra,
    saving: save.isPending,
    onMove: move,
    onRelease: release,
    onSave: saveMoves,
  };
  const check = {
    studyId,
    document,
    isMoved: Object.keys(moves).length > 0,
    saving: save.isPending,
    onChange: (changed: Record<string, Json>) => study && save.mutate({ study, moves: changed }),
  };
  return (
    <ExplainProvider studyId={studyId} document={shownDocument} currency={comparison.currency}>
      <div
        className={`${styles.page} ${pending ? styles.pending : ''} stack gap-20`}
        aria-busy={pending}
      >
        <VerdictPanel studyId={studyId} comparison={comparison} isBrief={view !== undefined}>
          {view === undefined && (
            <>
              <LikeForLikePanel {...check} isBrief onOpen={() => onSearch({ view: 'check' })} />
              <Warnings comparison={comparison} isBrief />
              {!check.isMoved && (
                <Searched studyId={studyId} document={document} winner={comparison.winner} />
              )}
            </>
          )}
        </VerdictPanel>
        <ViewTabs view={view} views={views} onView={(chosen) => onSearch({ view: chosen })} />
        {view === undefined ? (
          <div className={overviewClass(comparison)}>
            <DifferenceTable comparison={comparison} saved={live.answer ? base : null} />
            <div className="stack gap-16">
              <Cumulative
                comparison={comparison}
                held={held}
                revision={live.revision}
                discounted={search.npv ?? comparison.ranked_by === 'present_value'}
                onDiscounted={(npv) => onSearch({ npv })}
              />
              <Sliders {...sliders} />
            </div>
          </div>
        ) : (
          <Sliders {...sliders} isFolded />
        )}
        {error != null && !isMissed && (
          <p className="alert" role="alert">
            <Icon name="warning" /> {messageOf(error)}
          </p>
        )}
        {view && (
          <Charts
            view={view}
            pair={pair}
            comparison={comparison}
            held={held}
            revision={live.revision}
            onPair={onSearch}
          />
        )}
        {view === 'check' && (
          <>
            <LikeForLikePanel {...check} />
            <Warnings comparison={comparison} />
          </>
        )}
        {view === 'risk' && (
          <>
            <AsEntered comparison={comparison} />
            <Alternatives comparison={comparison} />
          </>
        )}
        {view === 'risk' && study && (
          <Quantities
            study={study}
            document={document}
            comparison={comparison}
            saving={save.isPending || !mayEdit}
            onChange={(changes) => save.mutate({ study, moves: changes })}
          />
        )}
        {view === undefined && <PapersBehind comparison={comparison} />}
        {view === 'capacity' && <Confirm studyId={studyId} comparison={base} />}
      </div>
    </ExplainProvider>
  );
}

/** The designs of a study side by side: the answer first, then the evidence. */
export function ComparePage(props: ComparePageProps) {
  const { studyId, search } = props;
  const study = useQuery(studyQueryOptions(studyId)).data;
  const document = useQuery(documentQueryOptions(studyId));
  const figures = figuresOf(search.from, search.to);
  const saved = useQuery(savedQueryOptions(studyId, document.data, figures));
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
  if (document.data && saved.data) {
    return (
      <Loaded
        {...props}
        study={study}
        document={document.data}
        base={saved.data}
        renewing={saved.isPlaceholderData}
      />
    );
  }
  const failure = document.error ?? saved.error;
  if (failure) return <NotYet studyId={studyId} document={document.data} error={failure} />;
  return <Loading minHeight={720} lines={12} />;
}
