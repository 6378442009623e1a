import { Segments } from '../../../components/control';
import { isObject } from '../../../lib/pointer';
import { ModelTool } from '../frame/model-tool';
import styles from '../frame/tools.module.css';
import { toolPart, type ToolProps } from '../frame/use-tool-state';

const PARTS = [
  { value: 'idle', label: 'Idle memory', model: 'memory.idle_capacity' },
  { value: 'module', label: 'Modules', model: 'memory.dimm_power' },
] as const;

/** Memory: what stands idle, and what a module draws. */
export function MemoryTool(props: ToolProps) {
  const { s } = props.search;
  const asked = isObject(s) ? s.part : undefined;
  const chosen = PARTS.find(({ value }) => value === asked) ?? PARTS[0];
  return (
    <>
      <div className={styles.views}>
        <Segments
          label="Question"
          value={chosen.value}
          choices={PARTS}
          onChange={(part) => props.onSearch({ s: { part } })}
        />
      </div>
      <ModelTool
        key={chosen.value}
        of={toolPart(props, chosen.value)}
        model={chosen.model}
        action="Simulate"
      />
    </>
  );
}
