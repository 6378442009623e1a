import { useState } from 'react';
import { Button } from '../../../components/button';
import { Segments } from '../../../components/control';
import { ToldPanel } from '../../../components/told/told-tables';
import { useStudy } from '../frame/use-study';
import type { Study } from '../../../lib/types';
import { useAddCluster } from '../frame/add-design';
import { designOf, serviceOf, isDemand, withPlace, workText, type Service } from './node-design';
import type { NodeMap, NodeRank, Place } from './nodes';
import { text, type Row } from '../frame/table';
import { AddedNote } from '../frame/added-note';
import styles from '../frame/tools.module.css';

interface NodeRankingProps {
  studyId: string | undefined;
  map: NodeMap;
  state: Place;
  rows: readonly Row[];
  set: (change: Partial<Place>) => void;
}

type SizedBy = 'study' | 'place';

const SIZED_BY = [
  { value: 'study', label: 'The study’s service' },
  { value: 'place', label: 'This place' },
];

interface SizingProps {
  study: Study | undefined;
  state: Place;
  service: Service | null;
  by: SizedBy;
  onBy: (by: SizedBy) => void;
  onPlace: (service: Service) => void;
}

/** By what work a design that is made here is sized, and so what Compare says of it. */
function Sizing({ study, state, service, by, onBy, onPlace }: SizingProps) {
  if (!study) return null;
  if (!isDemand(study)) {
    return (
      <p className="muted small">
        The study’s work is the use of given machines: a design takes the nodes counted here, and
        Compare cannot say whether they meet the query rate.
      </p>
    );
  }
  return (
    <div className={styles.sizing}>
      {service && (
        <Segments
          label="A design is sized by"
          value={by}
          choices={SIZED_BY}
          onChange={(value) => onBy(value as SizedBy)}
        />
      )}
      {service && by === 'study' ? (
        <p className="muted small">
          A design made here is sized by the study’s service, {workText(service)}, with its headroom
          and spare nodes.{' '}
          <Button small onClick={() => onPlace(service)}>
            Go to that place
          </Button>
        </p>
      ) : (
        <p className="muted small">
          A design made here brings {workText(state)} into the study as its service, and is sized by
          it with the study’s headroom and spare nodes. Compare then says of every design whether it
          meets that.
        </p>
      )}
    </div>
  );
}

function useMaking({ studyId, state, rows }: NodeRankingProps) {
  const study = useStudy(studyId);
  const add = useAddCluster(studyId ?? '');
  const [wanted, setBy] = useState<SizedBy>('study');
  const service = serviceOf(study);
  const by: SizedBy = service === null ? 'place' : wanted;
  const make = (rank: NodeRank) => {
    if (!study) return;
    const row = rows.find((one) => text(one, 'name') === rank.name);
    const placed = by === 'place' && isDemand(study);
    const workload = placed ? withPlace(study, state) : null;
    const sizes = workload ? serviceOf({ ...study, workload }) : service;
    const counted = `${rank.whole_nodes_count.toLocaleString('en-GB')} × ${rank.name}`;
    add.mutate({
      title: (sizes ? rank.name : counted).slice(0, 120),
      spec: designOf(rank, row, sizes),
      work: workload ? { study, workload } : undefined,
    });
  };
  return { study, service, by, setBy, add, make };
}

/** The node types at the chosen place, cheapest first; each can become a design. */
export function NodeRanking(props: NodeRankingProps) {
  const { studyId, map, state, set } = props;
  const { study, service, by, setBy, add, make } = useMaking(props);
  const [ranked] = map.tables;
  if (!ranked) return null;
  return (
    <ToldPanel
      table={ranked}
      act={({ head, is_best: isBest }, at) => (
        <Button
          small
          look={isBest ? 'primary' : 'plain'}
          disabled={add.isPending || !study}
          aria-label={`Make ${head} a design`}
          onClick={() => map.ranking[at] && make(map.ranking[at])}
        >
          Make a design
        </Button>
      )}
    >
      <Sizing
        study={study}
        state={state}
        service={service}
        by={by}
        onBy={setBy}
        onPlace={({ service_ms: _own, ...place }) => set(place)}
      />
      {studyId !== undefined && (
        <AddedNote studyId={studyId} added={add.data && [add.data]} error={add.error} />
      )}
    </ToldPanel>
  );
}
