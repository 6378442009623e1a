import { useMemo, useRef, type CSSProperties } from 'react';
import { useWidth } from '../../../components/use-width';
import { useTheme } from '../../../lib/theme';
import { designLook } from '../../../lib/tokens';
import type { DeviceUse } from '../result';
import { pictureOf, type Box, type DiskShape, type Drawn, type Picture } from './geometry';
import styles from './drawing.module.css';

interface ArrayDrawingProps {
  array: Drawn;
  letter: string;
  /** What a run found of each disk: the time that each spent in each state. */
  devices?: readonly DeviceUse[];
}

/** A platter, with a ring of copies where there are any in free space. */
function Platter({ shape, copied }: { shape: DiskShape; copied: boolean }) {
  const { body } = shape;
  const radius = Math.min(body.width, body.height) / 2 - 2;
  const [cx, cy] = [body.x + body.width / 2, body.y + body.height / 2];
  if (radius < 5) return null;
  return (
    <>
      <circle cx={cx} cy={cy} r={radius} className={styles.platter} />
      <circle cx={cx} cy={cy} r={radius * 0.62} className={styles.track} />
      {copied && <circle cx={cx} cy={cy} r={radius * 0.82} className={styles.copied} />}
      <circle cx={cx} cy={cy} r={Math.max(1.5, radius * 0.16)} className={styles.hub} />
      <path
        className={styles.arm}
        d={`M${cx + radius * 0.92} ${cy + radius * 0.92}L${cx + radius * 0.3} ${cy + radius * 0.12}`}
      />
    </>
  );
}

function Chips({ shape }: { shape: DiskShape }) {
  const { body } = shape;
  const size = Math.max(3, Math.min(11, (body.width - 10) / 3));
  const [columns, rows] = [Math.max(2, Math.floor(body.width / (size + 5))), 2];
  const left = body.x + (body.width - columns * size - (columns - 1) * 4) / 2;
  const top = body.y + (body.height - rows * size - 4) / 2;
  return Array.from({ length: columns * rows }, (_, at) => (
    <rect
      key={at}
      className={styles.die}
      x={left + (at % columns) * (size + 4)}
      y={top + Math.floor(at / columns) * (size + 4)}
      width={size}
      height={size}
      rx={1.5}
    />
  ));
}

const STATES = ['active', 'seek', 'idle', 'low_power_idle', 'standby', 'transition'] as const;

/** The time in each state as a strip at the foot of a disk. */
function Strip({ shape, use }: { shape: DiskShape; use: DeviceUse }) {
  const shares = STATES.map(
    (state) => use.states.find((row) => row.state === state)?.time_fraction ?? 0,
  );
  const width = shape.width - 2;
  return STATES.map((state, at) => {
    const before = shares.slice(0, at).reduce((sum, share) => sum + share, 0);
    return (
      <rect
        key={state}
        className={styles[state]}
        x={shape.x + 1 + before * width}
        y={shape.y + shape.height - 4}
        width={Math.max(0, (shares[at] ?? 0) * width)}
        height={3}
      />
    );
  });
}

function Cross({ body }: { body: Box }) {
  const [left, top] = [body.x + 4, body.y + 4];
  const [right, bottom] = [body.x + body.width - 4, body.y + body.height - 4];
  const path = `M${left} ${top}L${right} ${bottom}M${right} ${top}L${left} ${bottom}`;
  return <path className={styles.cross} d={path} />;
}

/** An arrow that goes round: the disk is being rebuilt. */
function Turning({ body }: { body: Box }) {
  const radius = Math.max(3, Math.min(body.width, body.height) / 2 - 6);
  const [x, y] = [body.x + body.width / 2, body.y + body.height / 2];
  const head = Math.max(2, radius * 0.4);
  const arc = `M${x + radius} ${y}A${radius} ${radius} 0 1 1 ${x} ${y - radius}`;
  const tip = `M${x - head * 0.4} ${y - radius - head}L${x + head} ${y - radius}L${x - head * 0.4} ${y - radius + head}`;
  return <path className={styles.turning} d={`${arc}${tip}`} />;
}

interface DiskProps {
  shape: DiskShape;
  isFlash: boolean;
  copied: boolean;
  use?: DeviceUse;
}

function Disk({ shape, isFlash, copied, use }: DiskProps) {
  const { body, state } = shape;
  const names = [
    styles.disk,
    (state === 'asleep' || state === 'spare') && styles.asleep,
    state === 'lost' && styles.failed,
    state === 'rebuilt' && styles.rebuilt,
    state === 'spare' && styles.spare,
  ];
  return (
    <g className={names.filter(Boolean).join(' ')}>
      <rect
        className={styles.case}
        x={shape.x}
        y={shape.y}
        width={shape.width}
        height={shape.height}
        rx={5}
      />
      {isFlash ? <Chips shape={shape} /> : <Platter shape={shape} copied={copied} />}
      {shape.chunks.map(({ x, y, width, height, chunk }, row) => (
        <g key={row} className={styles[chunk.kind]} data-even={chunk.is_even}>
          <rect className={styles.chunk} x={x} y={y} width={width} height={height} rx={2} />
          <text className={styles.label} x={x + width / 2} y={y + height / 2}>
            {chunk.label}
          </text>
        </g>
      ))}
      {state === 'asleep' && shape.width >= 24 && (
        <text className={styles.sleep} x={body.x + body.width - 1} y={body.y + 8}>
          z
        </text>
      )}
      {state === 'rebuilt' && <Turning body={body} />}
      {state === 'lost' && <Cross body={body} />}
      {use && state !== 'lost' && state !== 'spare' && <Strip shape={shape} use={use} />}
    </g>
  );
}

function Cache({ picture, array }: { picture: Picture; array: Drawn }) {
  const { cache: box } = picture;
  if (!box) return null;
  return (
    <g className={styles.cache}>
      <rect className={styles.case} {...box} rx={5} />
      {[0, 1, 2].map((at) => (
        <rect
          key={at}
          className={styles.die}
          x={box.x + 10 + at * 14}
          y={box.y + box.height / 2 - 5}
          width={10}
          height={10}
          rx={1.5}
        />
      ))}
      <text className={styles.cacheText} x={box.x + 58} y={box.y + box.height / 2}>
        {box.width < 300 ? array.cache_short : array.cache}
      </text>
    </g>
  );
}

function Wires({ picture }: { picture: Picture }) {
  const { wires, bus, cache, width } = picture;
  const top = cache ? cache.y + cache.height : 2;
  const last = bus.at(-1)?.y ?? top;
  return (
    <g className={styles.wires}>
      <path d={`M${width / 2} ${top}V${last}`} />
      {bus.map(({ y, left, right }) => (
        <path key={y} d={`M${left} ${y}H${right}`} />
      ))}
      {wires.map(({ x, top: from, bottom }) => (
        <path key={`${x} ${from}`} d={`M${x} ${from}V${bottom}`} />
      ))}
    </g>
  );
}

/** The array as it is described: its disks, what lies on them, what sleeps, and its cache. */
export function ArrayDrawing(props: ArrayDrawingProps) {
  const { array, letter, devices } = props;
  const ref = useRef<HTMLDivElement>(null);
  const width = useWidth(ref);
  const { color } = designLook(letter, useTheme());
  const picture = useMemo(() => (width > 0 ? pictureOf(array, width) : null), [array, width]);
  return (
    <div ref={ref} className={styles.frame} style={{ '--c': color } as CSSProperties}>
      {picture && (
        <svg width={picture.width} height={picture.height} role="img" aria-label={array.says}>
          <Wires picture={picture} />
          {picture.groups.map((box) => (
            <rect key={`${box.x} ${box.y}`} className={styles.group} {...box} rx={8} />
          ))}
          {picture.disks.map((shape) => (
            <Disk
              key={shape.disk}
              shape={shape}
              isFlash={array.is_flash}
              copied={array.has_copies}
              use={devices?.[shape.disk]}
            />
          ))}
          <Cache picture={picture} array={array} />
        </svg>
      )}
    </div>
  );
}
