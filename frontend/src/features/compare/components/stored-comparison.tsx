import { useMemo, useState } from 'react';
import { completed, type Comparison } from '../../../lib/comparison';
import type { StudyDocument } from '../../../lib/types';
import { defaultPair } from '../figures/options';
import { Charts, type Pair } from './charts';
import { DifferenceTable } from './difference-table';
import { ExplainProvider } from './explain';
import { VerdictPanel } from './verdict';
import styles from './compare.module.css';

interface StoredProps {
  studyId: string;
  comparison: Comparison;
  /** The inputs that it is of, where numbers are to be explained by them. */
  document?: StudyDocument;
}

/** A comparison as it was kept: read, not changed. */
export function StoredComparison({ studyId, comparison: stored, document }: StoredProps) {
  const comparison = useMemo(() => completed(stored), [stored]);
  const usual = useMemo(() => defaultPair(comparison), [comparison]);
  const [pair, setPair] = useState<Pair>(usual);
  const [discounted, setDiscounted] = useState(comparison.ranked_by === 'present_value');
  const page = (
    <div className={`${styles.page} stack gap-20`}>
      <VerdictPanel studyId={studyId} comparison={comparison} />
      <DifferenceTable comparison={comparison} saved={null} />
      <Charts
        pair={pair}
        comparison={comparison}
        held={false}
        revision={0}
        discounted={discounted}
        onPair={setPair}
        onDiscounted={setDiscounted}
      />
    </div>
  );
  if (!document) return page;
  return (
    <ExplainProvider studyId={studyId} document={document} currency={comparison.currency}>
      {page}
    </ExplainProvider>
  );
}
