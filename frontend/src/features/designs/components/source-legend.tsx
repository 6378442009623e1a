import { QualityChip } from '../../../components/chip';

const SHOWN = ['measured', 'published', 'derived', 'assumed', 'recalled', 'typed'];

/** What the letters beside the fields stand for. */
export function SourceLegend() {
  return (
    <div className="flow gap-4-12 small" aria-label="Where values come from">
      {SHOWN.map((quality) => (
        <QualityChip key={quality} quality={quality} withLetter />
      ))}
    </div>
  );
}
