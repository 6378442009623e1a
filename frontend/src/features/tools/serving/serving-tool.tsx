import { useQuery } from '@tanstack/react-query';
import { ToldFigures } from '../../../components/told/told-figures';
import type { Told } from '../../../components/told/told';
import { answerQueryOptions } from '../../../lib/answers';
import { ModelTool, type Answered } from '../frame/model-tool';
import type { ToolProps } from '../frame/use-tool-state';

/** The maps of accelerators, over loads, prompts and models, for the same question. */
function Maps({ params }: Answered<Told>) {
  const maps = useQuery(answerQueryOptions<Told>('serving.size_map', params));
  return maps.data ? <ToldFigures figures={maps.data.result.figures ?? []} /> : null;
}

/** Which accelerators serve users of a language model in time, or how many users a site serves. */
export function ServingTool(props: ToolProps) {
  return <ModelTool<Told> of={props} model="serving.size" evidence={Maps} />;
}

/** A day of requests replayed on replicas: a log that was uploaded, or a generated day. */
export function ServingDayTool(props: ToolProps) {
  return <ModelTool of={props} model="serving.replay" action="Replay" />;
}
