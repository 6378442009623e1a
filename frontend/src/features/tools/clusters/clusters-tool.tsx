import { ModelTool } from '../frame/model-tool';
import type { ToolProps } from '../frame/use-tool-state';

/** A cluster that keeps copies or coded shards, by its closed form. */
export const CodesTool = (props: ToolProps) => (
  <ModelTool of={props} model="storage.cluster_code" />
);

/** The same cluster, request by request, through the rebuild of a drive or a node. */
export const ClustersTool = (props: ToolProps) => (
  <ModelTool of={props} model="storage.cluster_array" action="Simulate" />
);
