import { useState } from 'react';
import { figuresOf, pairOf, type Comparison, type Pair } from '../../../lib/comparison';
import type { StudyDocument } from '../../../lib/types';
import { Charts } from './charts';
import { DifferenceTable } from './difference-table';
import { ExplainProvider } from './explain';
import { VerdictPanel } from './verdict';
import styles from './compare.module.css';

interface StoredProps {
  studyId: string;
  comparison: Comparison;
  /** The inputs that it is of, where numbers are to be explained by them. */
  document?: StudyDocument;
  /** Charts are asked of two other designs. */
  onFigures: (figures: string) => void;
}

/** A comparison as it was kept: read, not changed. */
export function StoredComparison({ studyId, comparison, document, onFigures }: StoredProps) {
  const [chosen, setChosen] = useState<Pair | null>(null);
  const [discounted, setDiscounted] = useState(comparison.ranked_by === 'present_value');
  const page = (
    <div className={`${styles.page} stack gap-20`}>
      <VerdictPanel studyId={studyId} comparison={comparison} />
      <DifferenceTable comparison={comparison} saved={null} />
      <Charts
        pair={chosen ?? pairOf(comparison)}
        comparison={comparison}
        held={false}
        revision={0}
        discounted={discounted}
        onPair={(pair) => {
          setChosen(pair);
          onFigures(figuresOf(pair.from, pair.to));
        }}
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
