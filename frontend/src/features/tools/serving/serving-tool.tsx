import { ModelTool } from '../frame/model-tool';
import type { ToolProps } from '../frame/use-tool-state';

/** Which accelerators serve users of a language model in time, or how many users a site serves. */
export function ServingTool(props: ToolProps) {
  return <ModelTool of={props} model="serving.size" />;
}

/** A day of requests replayed on replicas: a log that was uploaded, or a generated day. */
export function ServingDayTool(props: ToolProps) {
  return <ModelTool of={props} model="serving.replay" action="Replay" />;
}
