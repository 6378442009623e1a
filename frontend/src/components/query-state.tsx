import type { UseQueryResult } from '@tanstack/react-query';
import type { CSSProperties, ReactNode } from 'react';
import { isObject } from '../lib/pointer';
import { messageOf } from '../lib/problem';
import { Button } from './button';
import { Icon } from './icon';
import styles from './state.module.css';

export function Bone({
  width = '100%',
  height = 14,
}: {
  width?: string | number;
  height?: number;
}) {
  return <span className={styles.bone} style={{ width, height }} />;
}

interface Sized {
  /** Height kept free from the first moment on, so that nothing jumps. */
  minHeight?: number;
}

const WIDTHS = ['68%', '92%', '84%', '56%', '76%', '88%', '61%', '80%'];

function sized(minHeight: number | undefined): CSSProperties {
  return { '--min': `${minHeight ?? 120}px` } as CSSProperties;
}

export function Loading({ minHeight, lines = 4 }: Sized & { lines?: number }) {
  return (
    <div
      className={styles.bones}
      style={sized(minHeight)}
      role="group"
      aria-busy="true"
      aria-label="Loading"
    >
      {Array.from({ length: lines }, (_, index) => (
        <Bone key={index} width={WIDTHS[index % WIDTHS.length]} />
      ))}
    </div>
  );
}

export function Empty({ children, minHeight }: Sized & { children: ReactNode }) {
  return (
    <div className={styles.state} style={sized(minHeight)}>
      {children}
    </div>
  );
}

interface FailedProps extends Sized {
  error: unknown;
  onRetry?: () => void;
}

export function Failed({ error, onRetry, minHeight }: FailedProps) {
  return (
    <div className={`${styles.state} ${styles.failed}`} style={sized(minHeight)} role="alert">
      <Icon name="warning" size={20} />
      <p>{messageOf(error)}</p>
      {onRetry && (
        <Button small onClick={onRetry} icon="reset">
          Try again
        </Button>
      )}
    </div>
  );
}

interface QueryStateProps<T> extends Sized {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
  /** Said where there are no rows. */
  empty?: ReactNode;
  /** Where it is more than a list without rows. */
  isEmpty?: (data: T) => boolean;
  loading?: ReactNode;
}

function hasNoRows(data: unknown): boolean {
  const rows = isObject(data) ? data.results : data;
  return Array.isArray(rows) && rows.length === 0;
}

/** The four states of a panel: loading, failed, empty, ready. */
export function QueryState<T>(props: QueryStateProps<T>) {
  const { query, children, empty, isEmpty = hasNoRows, loading, minHeight } = props;
  if (query.data !== undefined) {
    if (empty !== undefined && isEmpty(query.data)) {
      return <Empty minHeight={minHeight}>{empty}</Empty>;
    }
    return children(query.data);
  }
  if (query.isError) {
    const retry = () => void query.refetch();
    return <Failed error={query.error} onRetry={retry} minHeight={minHeight} />;
  }
  return loading ?? <Loading minHeight={minHeight} />;
}
