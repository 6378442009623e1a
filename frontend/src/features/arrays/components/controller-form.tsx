import type { ArrayDesign, Controller } from '../types';
import { NumberRow, Part, SwitchRow } from './fields';

const NO_CONTROLLER: Controller = { read_ms: 0, write_ms: 0, depth_count: null };

interface ControllerFormProps {
  array: ArrayDesign;
  onChange: (array: ArrayDesign) => void;
}

/** A controller that requests pass on their way to the drives. */
export function ControllerForm({ array, onChange }: ControllerFormProps) {
  const { controller } = array;
  const change = (part: Partial<Controller>) =>
    onChange({ ...array, controller: { ...NO_CONTROLLER, ...controller, ...part } });
  return (
    <Part title="Controller" summary={controller ? 'with its own time' : 'none'} open={false}>
      <SwitchRow
        label="Requests pass a controller"
        hint="One after another, each for its own time."
        checked={controller != null}
        onChange={(on) => onChange({ ...array, controller: on ? NO_CONTROLLER : null })}
      />
      {controller && (
        <>
          <NumberRow
            label="Time for a read"
            unit="ms"
            value={controller.read_ms}
            onChange={(ms) => ms !== null && change({ read_ms: ms })}
          />
          <NumberRow
            label="Time for a write"
            unit="ms"
            value={controller.write_ms}
            onChange={(ms) => ms !== null && change({ write_ms: ms })}
          />
          <NumberRow
            label="Requests at once"
            hint="Others wait in the host."
            value={controller.depth_count}
            empty="all"
            least={1}
            whole
            onChange={(depth_count) => change({ depth_count })}
          />
        </>
      )}
    </Part>
  );
}
