import { useState, type CSSProperties } from 'react';
import { inkOn } from '../../../lib/color';
import { percent } from '../../../lib/format';
import { RESOURCE_NAMES, RESOURCES, type Block, type Stack } from './board';
import styles from './board.module.css';

interface StackProps {
  stack: Stack;
  colors: ReadonlyMap<string, string>;
  limit: number;
  lit: string | null;
  onLit: (id: string | null) => void;
}

const LETTERS = ['C', 'D', 'M', 'N'];
// Below this share a name does not fit its block.
const NAMED_FROM = 0.13;

function Bar({ stack, at, ...props }: StackProps & { at: number }) {
  const { colors, limit, lit, onLit } = props;
  const name = RESOURCE_NAMES[RESOURCES[at] ?? ''] ?? '';
  const block = ({ id, shares }: Block) => {
    const color = colors.get(id) ?? '#888888';
    const share = shares[at] ?? 0;
    const look = { '--c': color, height: `${share * 100}%` } as CSSProperties;
    return (
      <span
        key={id}
        className={`${styles.block} ${inkOn(color) === 'light' ? styles.light : ''}`}
        data-dim={(lit !== null && lit !== id) || undefined}
        style={look}
        title={`${id}: ${percent(share)} of ${name}`}
        onPointerEnter={() => onLit(id)}
        onPointerLeave={() => onLit(null)}
      >
        {at === 0 && share >= NAMED_FROM ? id : ''}
      </span>
    );
  };
  return (
    <div className={styles.bar} data-first={at === 0 || undefined}>
      <div className={styles.well}>
        <i style={{ bottom: `${limit * 100}%` }} />
        {stack.blocks.map(block)}
      </div>
      <span>{LETTERS[at]}</span>
    </div>
  );
}

function Server(props: StackProps) {
  const { stack } = props;
  const totals = RESOURCES.map((resource, at) => {
    const sum = stack.blocks.reduce((all, block) => all + (block.shares[at] ?? 0), 0);
    return `${RESOURCE_NAMES[resource]} ${percent(sum)}`;
  });
  const off = stack.blocks.length === 0;
  const names = stack.blocks.map(({ id }) => id).join(', ');
  return (
    <li
      className={styles.server}
      data-off={off || undefined}
      aria-label={
        off
          ? `Server ${stack.server}: off`
          : `Server ${stack.server}: ${totals.join(', ')}; ${names}`
      }
    >
      <p>
        {stack.server} <span className="muted">{off ? 'off' : stack.kind}</span>
      </p>
      {off ? (
        <div className={styles.off} />
      ) : (
        <div className={styles.bars} aria-hidden="true">
          {RESOURCES.map((resource, at) => (
            <Bar key={resource} {...props} at={at} />
          ))}
        </div>
      )}
    </li>
  );
}

interface BoardProps {
  title: string;
  stacks: readonly Stack[];
  colors: ReadonlyMap<string, string>;
  limit: number;
  lit: string | null;
  onLit: (id: string | null) => void;
}

const AT_MOST = 48;

/** Servers as bars for each resource, the applications on them as blocks. */
export function Stacks({ title, stacks, ...shared }: BoardProps) {
  const on = stacks.filter(({ blocks }) => blocks.length > 0).length;
  const [all, setAll] = useState(false);
  const shown = all ? stacks : stacks.slice(0, AT_MOST);
  return (
    <section className={styles.side} aria-label={title}>
      <h3>
        {title}: {on} of {stacks.length} servers on
      </h3>
      <ul className={styles.servers}>
        {shown.map((stack) => (
          <Server key={stack.server} stack={stack} {...shared} />
        ))}
      </ul>
      {shown.length < stacks.length && (
        <button type="button" className={styles.rest} onClick={() => setAll(true)}>
          Show {stacks.length - shown.length} more servers
        </button>
      )}
    </section>
  );
}
