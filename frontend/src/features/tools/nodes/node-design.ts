import { answerQueryOptions } from '../../../lib/answers';
import { read, type JsonObject } from '../../../lib/pointer';
import type { Science } from '../../../lib/science';
import type { Study } from '../../../lib/types';

export type NodeDesigns = Science['plans.node_design.Result'];
export type SizedBy = Science['plans.node_design.Params']['sized_by'];

/** The node types of a choice as designs of a study, in the order of the ranking. */
export const nodeDesignsQueryOptions = (
  study: Study | undefined,
  choice: JsonObject,
  sizedBy: SizedBy,
) =>
  answerQueryOptions<NodeDesigns, NodeDesigns>(
    'plans.node_design',
    study
      ? {
          choice,
          takes_service: read(study.workload, '/kind') === 'demand',
          service: read(study.workload, '/service') ?? null,
          sized_by: sizedBy,
        }
      : null,
    ({ result }) => result,
  );
