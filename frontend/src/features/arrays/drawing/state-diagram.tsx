import { quantity } from '../../../lib/format';
import type { Drive, Timeouts } from '../types';
import type { Outlook } from '../result';
import { stateDiagram, type Transition } from './power-states';
import styles from './state-diagram.module.css';

const WIDTH = 320;
const NODE = { x: 80, width: 172, height: 34 };
const STEP = 74;

function costText(transition: Transition): string[] {
  const { cost } = transition;
  if (!cost) return [];
  return [quantity(cost.duration_s, 's'), quantity(cost.energy_j, 'J')];
}

function Lines({ x, y, lines, end }: { x: number; y: number; lines: string[]; end?: boolean }) {
  return lines.map((line, at) => (
    <text
      key={line}
      className={`${styles.note} ${end ? styles.end : ''}`}
      x={x}
      y={y + (at - (lines.length - 1) / 2) * 14}
    >
      {line}
    </text>
  ));
}

interface EdgeProps {
  transition: Transition;
  from: number;
  to: number;
  after: number | null;
}

/** Down on the left, up on the right; what skips a state goes round it. */
function Edge({ transition, from, to, after }: EdgeProps) {
  const down = to > from;
  const [top, bottom] = [Math.min(from, to), Math.max(from, to)];
  const start = top * STEP + NODE.height;
  const end = bottom * STEP;
  const middle = (start + end) / 2;
  const cost = costText(transition);
  if (bottom - top > 1) {
    const right = NODE.x + NODE.width;
    const [y1, y2] = [bottom * STEP + NODE.height / 2, top * STEP + NODE.height / 2];
    const path = `M${right} ${y1}H${right + 22}V${y2 + 4}H${right + 5}`;
    return (
      <g>
        <path className={styles.edge} d={path} markerEnd="url(#arrow)" />
        <Lines x={right + 30} y={(y1 + y2) / 2 + STEP / 2} lines={cost} />
      </g>
    );
  }
  if (transition.cost === null) {
    const x = NODE.x + NODE.width / 2;
    return <path className={styles.free} d={`M${x} ${start}V${end}`} />;
  }
  const x = NODE.x + NODE.width * (down ? 0.3 : 0.7);
  const path = down ? `M${x} ${start}V${end - 5}` : `M${x} ${end}V${start + 5}`;
  const shown = [cost.join(', '), ...(after === null ? [] : [`after ${quantity(after, 's')}`])];
  return (
    <g>
      <path className={styles.edge} d={path} markerEnd="url(#arrow)" />
      <Lines x={x + (down ? -8 : 8)} y={middle} lines={down ? shown : cost} end={down} />
    </g>
  );
}

interface StateDiagramProps {
  drive: Drive;
  timeouts: Timeouts | null;
  /** Has the break-even times, where none are set. */
  outlook: Outlook | null;
}

/** The drive's power states as a diagram: watts, and what each change takes. */
export function StateDiagramView({ drive, timeouts, outlook }: StateDiagramProps) {
  const { nodes, transitions } = stateDiagram(drive);
  const place = (id: string) => nodes.findIndex((node) => node.id === id);
  const height = (nodes.length - 1) * STEP + NODE.height + 4;
  const most = Math.max(...nodes.map((node) => node.power_w), 1e-9);
  const afterOf = (to: string) => {
    if (!timeouts || (to !== 'low_power_idle' && to !== 'standby')) return null;
    const key = `${to}_s` as const;
    return timeouts[key] ?? outlook?.[key] ?? null;
  };
  const words = nodes.map((node) => `${node.label} ${quantity(node.power_w, 'W')}`);
  return (
    <svg
      className={styles.diagram}
      viewBox={`0 0 ${WIDTH} ${height}`}
      role="img"
      aria-label={`Power states of ${drive.name}: ${words.join(', ')}.`}
    >
      <defs>
        <marker
          id="arrow"
          viewBox="0 0 8 8"
          refX="4"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto"
        >
          <path d="M0 0.5L7 4L0 7.5z" className={styles.head} />
        </marker>
      </defs>
      {transitions.map((transition) => (
        <Edge
          key={`${transition.from} ${transition.to}`}
          transition={transition}
          from={place(transition.from)}
          to={place(transition.to)}
          after={afterOf(transition.to)}
        />
      ))}
      {nodes.map((node, at) => (
        <g key={node.id} transform={`translate(${NODE.x} ${at * STEP + 1})`}>
          <rect className={styles.node} width={NODE.width} height={NODE.height} rx={6} />
          <rect
            className={styles.level}
            x={8}
            y={NODE.height - 5}
            width={Math.max(2, ((NODE.width - 16) * node.power_w) / most)}
            height={2}
            rx={1}
          />
          <text className={styles.name} x={8} y={NODE.height / 2 - 1}>
            {node.label}
          </text>
          <text className={styles.watts} x={NODE.width - 8} y={NODE.height / 2 - 1}>
            {quantity(node.power_w, 'W')}
          </text>
        </g>
      ))}
    </svg>
  );
}
