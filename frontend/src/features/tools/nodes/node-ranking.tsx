import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Segments } from '../../../components/control';
import { ToldPanel } from '../../../components/told/told-tables';
import type { JsonObject } from '../../../lib/pointer';
import { useAddCluster } from '../frame/add-design';
import { AddedNote } from '../frame/added-note';
import styles from '../frame/tools.module.css';
import { useStudy } from '../frame/use-study';
import { Wrong } from '../frame/view-frame';
import { nodeDesignsQueryOptions, type NodeDesigns, type SizedBy } from './node-design';
import type { NodeMap } from './nodes';

interface NodeRankingProps {
  studyId: string | undefined;
  map: NodeMap;
  /** What the map was asked with. */
  params: JsonObject;
  onParams: (params: JsonObject) => void;
}

const SIZED_BY = [
  { value: 'study', label: 'The study’s service' },
  { value: 'place', label: 'This place' },
];

interface SizingProps {
  told: NodeDesigns;
  by: SizedBy;
  onBy: (by: SizedBy) => void;
  onPlace: (place: JsonObject) => void;
}

/** By what work a design that is made here is sized, and so what Compare says of it. */
function Sizing({ told, by, onBy, onPlace }: SizingProps) {
  const place = told.service_place;
  return (
    <div className={styles.sizing}>
      {place && (
        <Segments
          label="A design is sized by"
          value={by}
          choices={SIZED_BY}
          onChange={(value) => onBy(value as SizedBy)}
        />
      )}
      <p className="muted small">
        {told.said}{' '}
        {place && told.service === null && (
          <Button small onClick={() => onPlace(place)}>
            Go to that place
          </Button>
        )}
      </p>
    </div>
  );
}

/** The node types at the chosen place, cheapest first; each can become a design. */
export function NodeRanking({ studyId, map, params, onParams }: NodeRankingProps) {
  const study = useStudy(studyId);
  const add = useAddCluster(studyId ?? '');
  const [by, setBy] = useState<SizedBy>('study');
  const {
    data: told,
    error,
    isPlaceholderData,
  } = useQuery(nodeDesignsQueryOptions(study, params, by));
  const [ranked] = map.tables;
  if (!ranked) return null;
  const make = ({ title, spec }: NodeDesigns['designs'][number]) => {
    const service = told?.service;
    if (!study) return;
    const workload = { ...study.workload, service } as JsonObject;
    add.mutate({
      title,
      spec: spec as JsonObject,
      work: service ? { study, workload } : undefined,
    });
  };
  return (
    <ToldPanel
      table={ranked}
      act={({ head, is_best: isBest }, at) => {
        const design = told?.designs[at];
        return (
          <Button
            small
            look={isBest ? 'primary' : 'plain'}
            disabled={add.isPending || isPlaceholderData || !design}
            aria-label={`Make ${head} a design`}
            onClick={() => design && make(design)}
          >
            Make a design
          </Button>
        );
      }}
    >
      {told && (
        <Sizing
          told={told}
          by={by}
          onBy={setBy}
          onPlace={(place) => onParams({ ...params, ...place })}
        />
      )}
      <Wrong error={error} />
      {studyId !== undefined && (
        <AddedNote studyId={studyId} added={add.data && [add.data]} error={add.error} />
      )}
    </ToldPanel>
  );
}
