import type { Science } from '../../../lib/science';
import { ModelTool } from '../frame/model-tool';
import type { ToolProps } from '../frame/use-tool-state';

/** Work per joule of devices against their speed, and where caches turn the answer. */
export function TrendsTool(props: ToolProps) {
  return (
    <ModelTool<Science['performance.device_trends.Result']>
      of={props}
      model="performance.device_trends"
    />
  );
}
