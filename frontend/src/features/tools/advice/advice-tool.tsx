import { Link } from '@tanstack/react-router';
import type { Science } from '../../../lib/science';
import { ModelTool, type Answered } from '../frame/model-tool';
import type { ToolProps } from '../frame/use-tool-state';
import type { Tool } from '../search';

type Advice = Science['performance.workload_taxonomy.Result'];

/** The tool of a model that an answer leads to; others are looked at on their own page. */
const TOOL_OF: Record<string, Tool> = {
  'performance.kv_node_choice': 'nodes',
};

function Next({ result: { next_model: model } }: Answered<Advice>) {
  const tool = TOOL_OF[model];
  return (
    <div>
      {tool ? (
        <Link to="/tools/$tool" params={{ tool }}>
          Look further there
        </Link>
      ) : (
        <Link to="/method/models/$modelId" params={{ modelId: model }}>
          See the model that goes on from here
        </Link>
      )}
    </div>
  );
}

/** A few questions about a workload, and whether slow nodes suit it, with the rules that say so. */
export function AdviceTool(props: ToolProps) {
  return <ModelTool<Advice> of={props} model="performance.workload_taxonomy" evidence={Next} />;
}
