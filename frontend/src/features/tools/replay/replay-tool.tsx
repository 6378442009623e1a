import { ModelTool } from '../frame/model-tool';
import type { ToolProps } from '../frame/use-tool-state';

/** A day replayed: the hosts that it needs, with machines moving and with nothing moved. */
export function ReplayTool(props: ToolProps) {
  return <ModelTool of={props} model="consolidation.dynamic" action="Replay" />;
}
