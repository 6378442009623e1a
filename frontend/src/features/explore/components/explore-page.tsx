import { useCallback, type ComponentType } from 'react';
import { Segments } from '../../../components/control';
import type { ExploreSearch, View } from '../search';
import type { ViewProps } from '../use-view-state';
import { Advice } from './advice';
import { Board } from './board';
import { Memory } from './memory';
import { NodeChoice } from './node-choice';
import { Replay } from './replay';
import { Risk } from './risk';
import { Scaling } from './scaling';
import { Trends } from './trends';
import styles from './explore.module.css';

const CHOICES: { value: View; label: string }[] = [
  { value: 'nodes', label: 'Node choice' },
  { value: 'scaling', label: 'Scaling' },
  { value: 'board', label: 'Consolidation' },
  { value: 'replay', label: 'Day replay' },
  { value: 'memory', label: 'Memory' },
  { value: 'risk', label: 'Trade-offs' },
  { value: 'advice', label: 'Workload advice' },
  { value: 'trends', label: 'Device trends' },
];

const SHOWN: Partial<Record<View, ComponentType<ViewProps>>> = {
  nodes: NodeChoice,
  scaling: Scaling,
  board: Board,
  replay: Replay,
  memory: Memory,
  risk: Risk,
  advice: Advice,
  trends: Trends,
};

/** Questions beside the study's own: maps, boards and replays. */
export function ExplorePage({ studyId, search, onSearch }: ViewProps) {
  const view = search.view ?? 'nodes';
  const Shown = SHOWN[view] ?? NodeChoice;
  const change = useCallback(
    (next: Partial<ExploreSearch>) => onSearch({ view, ...next }),
    [onSearch, view],
  );
  return (
    <div className={styles.page}>
      <div className={styles.views}>
        <Segments
          label="View"
          value={view}
          choices={CHOICES}
          onChange={(value) => onSearch({ view: value as View, s: undefined })}
        />
      </div>
      <div className={styles.view} key={view}>
        <Shown studyId={studyId} search={search} onSearch={change} />
      </div>
    </div>
  );
}
