import { Link } from '@tanstack/react-router';
import { Button } from '../../../components/button';
import { money, quantity, significant } from '../../../lib/format';
import { messageOf } from '../../../lib/problem';
import { useAddCluster } from '../api/add-design';
import { designOf, rate, type NodeMap, type NodeRank, type NodeState } from '../nodes';
import { text, type Row } from '../table';
import styles from './explore.module.css';

interface NodeRankingProps {
  studyId: string;
  map: NodeMap;
  state: NodeState;
  rows: readonly Row[];
}

const SHOWN = 8;

/** The node types at the chosen place, cheapest first; each can become a design. */
export function NodeRanking({ studyId, map, state, rows }: NodeRankingProps) {
  const add = useAddCluster(studyId);
  const make = (rank: NodeRank) =>
    add.mutate({
      title: `${Math.ceil(rank.nodes_count).toLocaleString('en-GB')} × ${rank.name}`.slice(0, 120),
      spec: designOf(
        rank,
        rows.find((row) => text(row, 'name') === rank.name),
      ),
    });
  return (
    <section className={styles.panel} aria-label="At the chosen place">
      <h3>
        At {quantity(state.dataset_tb, 'TB')} and {rate(state.query_rate_per_s)}
      </h3>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Node types ranked">
        <table className={styles.ranking}>
          <thead>
            <tr>
              <th scope="col">Node</th>
              <th scope="col">Nodes</th>
              <th scope="col">Cost a year</th>
              <th scope="col">Power</th>
              <th scope="col">Binds</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {map.ranking.slice(0, SHOWN).map((rank, at) => (
              <tr key={rank.name} data-best={at === 0 || undefined}>
                <th scope="row">{rank.name}</th>
                <td>
                  {Number.isInteger(rank.nodes_count)
                    ? rank.nodes_count.toLocaleString('en-GB')
                    : significant(rank.nodes_count)}
                </td>
                <td>{money(rank.cost_usd / state.lifetime_years)}</td>
                <td>{quantity(rank.power_w, 'W')}</td>
                <td>{rank.reason === 'capacity' ? 'data set' : 'query rate'}</td>
                <td>
                  <Button
                    small
                    look={at === 0 ? 'primary' : 'plain'}
                    disabled={add.isPending}
                    aria-label={`Make ${rank.name} a design`}
                    onClick={() => make(rank)}
                  >
                    Make a design
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="small" aria-live="polite">
        {add.isError && <span className={styles.wrong}>{messageOf(add.error)}</span>}
        {add.isSuccess && (
          <>
            Design {add.data.letter}, {add.data.title}, is in the study.{' '}
            <Link
              to="/studies/$studyId/designs"
              params={{ studyId }}
              search={{ at: `/designs/${add.data.letter}/node_groups/0/count` }}
            >
              Open it
            </Link>
          </>
        )}
      </p>
    </section>
  );
}
