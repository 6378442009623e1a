import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { modelQueryOptions, PLAN } from '../../../lib/models';
import {
  planRunsQueryOptions,
  recentCardsQueryOptions,
  standingQueryOptions,
} from '../api/get-standing';
import { costsOf, movesOf, STANDINGS, standings, type Standing } from '../standing';
import styles from './studies.module.css';

/** Which of the studies stand where; null until all of it is known. */
export function useStandings() {
  const cards = useQuery(recentCardsQueryOptions).data;
  const runs = useQuery(planRunsQueryOptions).data;
  const told = useQuery(standingQueryOptions).data;
  const version = useQuery(modelQueryOptions(PLAN)).data?.version;
  return useMemo(() => {
    if (!cards || !runs || !told) return null;
    const now = new Date();
    const known = {
      cards: cards.results,
      runs: runs.results,
      told,
      version,
      now,
    };
    return {
      studies: standings(known),
      moves: movesOf(runs.results, now),
      costs: costsOf(runs.results),
      isPart: cards.next_cursor !== null,
    };
  }, [cards, runs, told, version]);
}

interface DashboardProps {
  found: ReturnType<typeof useStandings>;
  chosen: Standing | null;
  onChoose: (standing: Standing | null) => void;
}

/** How many studies stand where; pressing a number lists them. What is nowhere has no tile. */
export function Dashboard({ found, chosen, onChoose }: DashboardProps) {
  const shown = STANDINGS.filter(({ key }) => found?.studies[key].length);
  return (
    <section className={styles.dashboard} aria-label="Studies at a glance" aria-busy={!found}>
      {shown.map(({ key, label, hint }) => (
        <button
          key={key}
          type="button"
          className={styles.tile}
          title={hint}
          aria-pressed={chosen === key}
          onClick={() => onChoose(chosen === key ? null : key)}
        >
          <strong className="num">{found?.studies[key].length}</strong>
          <span className="small">{label}</span>
        </button>
      ))}
      <p className="muted small">
        {found?.isPart && 'Counted are the 200 studies that were changed last. '}
        <Link to="/outlook">What newer prices would move</Link>
      </p>
    </section>
  );
}
