import { QualityChip } from '../../../components/chip';
import styles from './designs.module.css';

const SHOWN = ['measured', 'published', 'derived', 'assumed', 'recalled', 'typed'];

/** What the letters beside the fields stand for. */
export function SourceLegend() {
  return (
    <div className={`${styles.legend} small`} aria-label="Where values come from">
      {SHOWN.map((quality) => (
        <QualityChip key={quality} quality={quality} />
      ))}
    </div>
  );
}
