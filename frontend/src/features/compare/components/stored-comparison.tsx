import { useState } from 'react';
import { Warnings } from '../../../components/warnings';
import { figuresOf, pairOf, type Comparison, type Pair } from '../../../lib/comparison';
import type { StudyDocument } from '../../../lib/types';
import type { View } from '../search';
import { Charts, Cumulative, viewsOf } from './charts';
import { DifferenceTable } from './difference-table';
import { ExplainProvider } from './explain';
import { AsEntered, VerdictPanel } from './verdict';
import { overviewClass, ViewTabs } from './view-tabs';
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
  const [view, setView] = useState<View>();
  const hasWarnings = comparison.warnings.length > 0;
  const live = { comparison, held: false, revision: 0 };
  const page = (
    <div className={`${styles.page} stack gap-20`}>
      <VerdictPanel studyId={studyId} comparison={comparison} isBrief={view !== undefined} />
      <ViewTabs
        view={view}
        views={viewsOf(comparison).filter((one) => one !== 'check' || hasWarnings)}
        onView={setView}
      />
      {view === 'check' && <Warnings comparison={comparison} />}
      {view === 'risk' && <AsEntered comparison={comparison} />}
      {view === undefined ? (
        <div className={overviewClass(comparison)}>
          <DifferenceTable comparison={comparison} saved={null} />
          <Cumulative {...live} discounted={discounted} onDiscounted={setDiscounted} />
        </div>
      ) : (
        <Charts
          {...live}
          view={view}
          pair={chosen ?? pairOf(comparison)}
          onPair={(pair) => {
            setChosen(pair);
            onFigures(figuresOf(pair.from, pair.to));
          }}
        />
      )}
    </div>
  );
  if (!document) return page;
  return (
    <ExplainProvider studyId={studyId} document={document} currency={comparison.currency}>
      {page}
    </ExplainProvider>
  );
}
