import type { Comparison } from '../../../lib/comparison';
import { VIEWS, type View } from '../search';
import styles from './compare.module.css';

/** Table and chart beside each other, where the designs leave room. */
const MOST_BESIDE = 5;
export const overviewClass = ({ designs }: Comparison) =>
  `${styles.overview} ${designs.length > MOST_BESIDE ? styles.wide : ''}`;

interface ViewTabsProps {
  /** The part that is shown; the overview where none is. */
  view: View | undefined;
  views: readonly View[];
  onView: (view: View | undefined) => void;
}

/** The parts of a comparison, one question each. */
export function ViewTabs({ view, views, onView }: ViewTabsProps) {
  const tab = (of: View | undefined, label: string) => (
    <button
      key={label}
      type="button"
      aria-current={of === view ? 'page' : undefined}
      onClick={() => onView(of)}
    >
      {label}
    </button>
  );
  return (
    <nav className="tabs" aria-label="Parts of the comparison">
      {tab(undefined, 'Overview')}
      {views.map((one) => tab(one, VIEWS[one]))}
    </nav>
  );
}
