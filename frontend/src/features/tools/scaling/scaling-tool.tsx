import { isObject } from '../../../lib/pointer';
import type { Science } from '../../../lib/science';
import { clusterDesign } from '../frame/fleet';
import { ModelTool, type Answered } from '../frame/model-tool';
import { PutInStudy } from '../frame/put-in-study';
import type { ToolProps } from '../frame/use-tool-state';
import { Panel } from '../frame/view-frame';
import { TakeCluster } from './scaling-take';
import { withTaken } from './take-cluster';

type Job = Science['performance.cluster_job.Result'];

/** Clusters come from the catalogue or a design, and go into the study. */
function FromAndTo({ params, result, of, onParams }: Answered<Job>) {
  const studyId = of.search.study;
  const clusters = Array.isArray(params.clusters) ? params.clusters : [];
  return (
    <>
      <Panel title="Other clusters">
        {clusters.map((cluster, at) => (
          <TakeCluster
            key={at}
            studyId={studyId}
            name={isObject(cluster) ? String(cluster.name) : ''}
            onTake={(found) => onParams(withTaken(params, found, at))}
          />
        ))}
      </Panel>
      <PutInStudy
        studyId={studyId}
        label="Put these clusters into the study"
        found={result.clusters.map(clusterDesign)}
      />
    </>
  );
}

/** A batch job on clusters of many sizes: speed, joules and dollars, and what it waits for. */
export function ScalingTool(props: ToolProps) {
  return <ModelTool<Job> of={props} model="performance.cluster_job" evidence={FromAndTo} />;
}
