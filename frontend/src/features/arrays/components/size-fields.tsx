import { Button } from '../../../components/button';
import { percent } from '../../../lib/format';
import { sharesOf, sizesFault, wholeSectors } from '../sizes';
import type { SizeShare, SyntheticWorkload } from '../types';
import { FaultLine, NumberRow, PairRow, SelectRow, SwitchRow } from './fields';
import styles from './fields.module.css';

const KIB = 1024;
const MOST_SIZES = 64;

interface SizeListProps {
  /** Of which requests: for the names of the fields. */
  of: string;
  sizes: SizeShare[];
  onChange: (sizes: SizeShare[]) => void;
}

/** Sizes with their weights, and the share of requests that each comes to. */
function SizeList({ of, sizes, onChange }: SizeListProps) {
  const shares = sharesOf(sizes);
  const fault = sizesFault(sizes);
  const put = (at: number, change: Partial<SizeShare>) =>
    onChange(sizes.map((share, other) => (other === at ? { ...share, ...change } : share)));
  const largest = Math.max(...sizes.map(({ size_bytes }) => size_bytes));
  return (
    <div className={styles.pairs} role="group" aria-label={`Sizes of ${of}`}>
      <div className={styles.pairHead} aria-hidden>
        <span>Size of {of}</span>
        <span>Weight</span>
        <span className={styles.pairNote}>Share</span>
      </div>
      {sizes.map((share, at) => (
        <PairRow
          key={`${at} of ${sizes.length}`}
          first={{
            label: `Size ${at + 1} of ${of}`,
            unit: 'KiB',
            value: share.size_bytes,
            scale: KIB,
            least: 0.5,
            onChange: (bytes) => bytes !== null && put(at, { size_bytes: wholeSectors(bytes) }),
          }}
          second={{
            label: `Weight ${at + 1} of ${of}`,
            value: share.weight_ratio,
            onChange: (weight) => weight !== null && put(at, { weight_ratio: weight }),
          }}
          note={percent(shares[at])}
          onRemove={
            sizes.length > 1 ? () => onChange(sizes.filter((_, other) => other !== at)) : null
          }
        />
      ))}
      {fault && <FaultLine text={fault} />}
      <Button
        small
        icon="plus"
        disabled={sizes.length >= MOST_SIZES}
        onClick={() => onChange([...sizes, { size_bytes: 2 * largest, weight_ratio: 1 }])}
      >
        Add a size
      </Button>
    </div>
  );
}

const CHOICES = [
  { value: 'one', label: 'All of one size' },
  { value: 'several', label: 'Several sizes' },
] as const;

interface SizeFieldsProps {
  workload: SyntheticWorkload;
  onChange: (workload: SyntheticWorkload) => void;
}

/** How large requests are: all of one size, or a mix, with writes of their own sizes if wanted. */
export function SizeFields({ workload, onChange }: SizeFieldsProps) {
  const { size_bytes, sizes, write_sizes } = workload;
  const several = sizes.length > 0;
  const one = [{ size_bytes, weight_ratio: 1 }];
  const choose = (kind: 'one' | 'several') =>
    kind === 'one'
      ? onChange({ ...workload, sizes: [], write_sizes: [] })
      : onChange({ ...workload, sizes: [...one, { size_bytes: 65_536, weight_ratio: 1 }] });
  return (
    <>
      <SelectRow
        label="Sizes"
        value={several ? 'several' : 'one'}
        choices={CHOICES}
        onChange={choose}
      />
      {!several && (
        <NumberRow
          label="Size"
          unit="KiB"
          value={size_bytes}
          scale={KIB}
          least={0.5}
          onChange={(bytes) =>
            bytes !== null && onChange({ ...workload, size_bytes: wholeSectors(bytes) })
          }
        />
      )}
      {several && (
        <SizeList
          of={write_sizes.length > 0 ? 'reads' : 'requests'}
          sizes={sizes}
          onChange={(next) => onChange({ ...workload, sizes: next })}
        />
      )}
      {several && workload.read_fraction < 1 && (
        <SwitchRow
          label="Writes have sizes of their own"
          checked={write_sizes.length > 0}
          onChange={(on) => onChange({ ...workload, write_sizes: on ? sizes : [] })}
        />
      )}
      {several && workload.read_fraction < 1 && write_sizes.length > 0 && (
        <SizeList
          of="writes"
          sizes={write_sizes}
          onChange={(next) => onChange({ ...workload, write_sizes: next })}
        />
      )}
    </>
  );
}
