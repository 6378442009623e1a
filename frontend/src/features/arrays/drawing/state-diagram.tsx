import type { Outlook } from '../result';
import styles from './state-diagram.module.css';

const WIDTH = 320;
const NODE = { x: 80, width: 172, height: 34 };
const STEP = 74;

type Diagram = Outlook['power_states'];
type Change = Diagram['changes'][number];

function Lines({
  x,
  y,
  lines,
  end,
}: {
  x: number;
  y: number;
  lines: readonly string[];
  end?: boolean;
}) {
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
  change: Change;
  from: number;
  to: number;
}

/** Down on the left, up on the right; what skips a state goes round it. */
function Edge({ change: { cost, after }, from, to }: EdgeProps) {
  const down = to > from;
  const [top, bottom] = [Math.min(from, to), Math.max(from, to)];
  const start = top * STEP + NODE.height;
  const end = bottom * STEP;
  const middle = (start + end) / 2;
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
  if (cost.length === 0) {
    const x = NODE.x + NODE.width / 2;
    return <path className={styles.free} d={`M${x} ${start}V${end}`} />;
  }
  const x = NODE.x + NODE.width * (down ? 0.3 : 0.7);
  const path = down ? `M${x} ${start}V${end - 5}` : `M${x} ${end}V${start + 5}`;
  const shown = [cost.join(', '), ...(after === null ? [] : [after])];
  return (
    <g>
      <path className={styles.edge} d={path} markerEnd="url(#arrow)" />
      <Lines x={x + (down ? -8 : 8)} y={middle} lines={down ? shown : cost} end={down} />
    </g>
  );
}

/** The drive's power states as a diagram: watts, and what each change takes. */
export function StateDiagramView({ diagram: { states, changes, says } }: { diagram: Diagram }) {
  const place = (id: string) => states.findIndex((state) => state.id === id);
  const height = (states.length - 1) * STEP + NODE.height + 4;
  const most = Math.max(...states.map((state) => state.power_w), 1e-9);
  return (
    <svg className={styles.diagram} viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={says}>
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
      {changes.map((change) => (
        <Edge
          key={`${change.start} ${change.end}`}
          change={change}
          from={place(change.start)}
          to={place(change.end)}
        />
      ))}
      {states.map((node, at) => (
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
            {node.said}
          </text>
        </g>
      ))}
    </svg>
  );
}
