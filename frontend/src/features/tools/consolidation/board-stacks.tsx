import { useState, type CSSProperties } from 'react';
import { inkOn } from '../../../lib/color';
import { percent } from '../../../lib/format';
import { words } from '../../../lib/schema';
import type { Science } from '../../../lib/science';
import styles from './board.module.css';

type Stack = Science['consolidation.servers.Stack'];

interface Shared {
  colors: ReadonlyMap<string, string>;
  resources: readonly string[];
  /** How full each resource may be. */
  limits: readonly number[];
  lit: string | null;
  onLit: (id: string | null) => void;
}

interface StackProps extends Shared {
  stack: Stack;
}

// Below this share a name does not fit its block.
const NAMED_FROM = 0.13;

function Bar({ stack, at, ...props }: StackProps & { at: number }) {
  const { colors, resources, limits, lit, onLit } = props;
  const name = words(resources[at] ?? '');
  const block = ({ id, share_ratio: shares }: Stack['blocks'][number]) => {
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
        <i style={{ bottom: `${(limits[at] ?? 1) * 100}%` }} />
        {stack.blocks.map(block)}
      </div>
      <span>{name.charAt(0)}</span>
    </div>
  );
}

function Server(props: StackProps) {
  const { stack, resources } = props;
  const totals = resources.map((resource, at) => {
    const sum = stack.blocks.reduce((all, block) => all + (block.share_ratio[at] ?? 0), 0);
    return `${words(resource)} ${percent(sum)}`;
  });
  const off = stack.blocks.length === 0;
  const names = stack.blocks.map(({ id }) => id).join(', ');
  return (
    <li
      className={styles.server}
      data-off={off || undefined}
      aria-label={
        off
          ? `Server ${stack.server_count}: off`
          : `Server ${stack.server_count}: ${totals.join(', ')}; ${names}`
      }
    >
      <p>
        {stack.server_count} <span className="muted">{off ? 'off' : stack.kind}</span>
      </p>
      {off ? (
        <div className={styles.off} />
      ) : (
        <div className="flex gap-4" aria-hidden="true">
          {resources.map((resource, at) => (
            <Bar key={resource} {...props} at={at} />
          ))}
        </div>
      )}
    </li>
  );
}

interface BoardProps extends Shared {
  title: string;
  stacks: readonly Stack[];
}

const AT_MOST = 48;

/** Servers as bars for each resource, the applications on them as blocks. */
export function Stacks({ title, stacks, ...shared }: BoardProps) {
  const on = stacks.filter(({ blocks }) => blocks.length > 0).length;
  const [all, setAll] = useState(false);
  const shown = all ? stacks : stacks.slice(0, AT_MOST);
  return (
    <section className="stack gap-8 shrink" aria-label={title}>
      <h3>
        {title}: {on} of {stacks.length} servers on
      </h3>
      <ul className={styles.servers}>
        {shown.map((stack) => (
          <Server key={stack.server_count} stack={stack} {...shared} />
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
