import { Link } from '@tanstack/react-router';
import type { CSSProperties, ReactNode } from 'react';
import { DesignBadge } from '../../../components/design-badge';
import { Rich, whole } from '../../../components/rich';
import type { Comparison, DesignResult } from '../../../lib/comparison';
import { percent } from '../../../lib/format';
import { explainFlips, explainOdds, explainPrinted, figuresIn } from '../explanations';
import { Explained } from './explain';
import styles from './verdict.module.css';

function colorOf(letter: string): CSSProperties {
  return { '--c': `var(--design-${letter})` } as CSSProperties;
}

function HowSure({ comparison }: { comparison: Comparison }) {
  const { odds, verdict } = comparison;
  const text = verdict.odds;
  const wins = Object.entries(odds?.wins ?? {}).sort((a, b) => b[1] - a[1]);
  return (
    <div className={styles.sure}>
      <h2>How sure?</h2>
      {odds ? (
        <>
          <div className={styles.bar} aria-hidden="true">
            {wins
              .filter(([, share]) => share > 0)
              .map(([letter, share]) => (
                <span key={letter} style={{ ...colorOf(letter), flexGrow: share }} />
              ))}
          </div>
          <div className={`${styles.legend} flow gap-4-12 small`}>
            {wins
              .filter(([, share]) => share > 0)
              .map(([letter, share]) => (
                <span key={letter} style={colorOf(letter)}>
                  <span className={styles.swatch} />{' '}
                  <Explained of={() => explainOdds(letter, comparison)}>
                    {letter} {percent(share)}
                  </Explained>
                </span>
              ))}
          </div>
          <p className="muted small">
            {text ? (
              <Figures text={text} comparison={comparison} />
            ) : (
              `Share of ${odds.draws_count.toLocaleString('en-GB')} simulations in which each is cheapest.`
            )}
          </p>
        </>
      ) : (
        <p className="muted small">{text ?? verdict.odds_reason}</p>
      )}
    </div>
  );
}

/** A sentence of the verdict whose figures open. */
function Figures({ text, comparison }: { text: string; comparison: Comparison }) {
  const figures = (run: string) =>
    figuresIn(run, comparison.currency).map((part, at) => {
      const of = at % 2 === 1 ? explainPrinted(part, comparison) : undefined;
      return of ? (
        <Explained key={at} of={of}>
          {part}
        </Explained>
      ) : (
        <Rich key={at} text={part} />
      );
    });
  return text.split('**').map((piece, index) => {
    const parts = whole(piece, figures);
    return index % 2 === 1 ? <strong key={index}>{parts}</strong> : parts;
  });
}

/** What there is to know of a design, each with its field: why it does not meet demand, first. */
function Remarks({ studyId, designs }: { studyId: string; designs: DesignResult[] }) {
  const told = designs.flatMap(({ letter, shortfall, remarks }) =>
    [...(shortfall ? [shortfall] : []), ...remarks].map((remark) => ({ letter, ...remark })),
  );
  if (told.length === 0) return null;
  return (
    <ul className={`${styles.warnings} small`} aria-label="Problems of designs">
      {told.map(({ letter, sentence, pointer }) => (
        <li key={`${letter} ${sentence}`}>
          <DesignBadge letter={letter} />
          <span>
            {sentence}{' '}
            <Link to="/studies/$studyId/designs" params={{ studyId }} search={{ at: pointer }}>
              Go to the field
            </Link>
          </span>
        </li>
      ))}
    </ul>
  );
}

interface VerdictProps {
  studyId: string;
  comparison: Comparison;
  /** The headline alone, above another part of the comparison. */
  isBrief?: boolean;
  /** What else is said beneath it. */
  children?: ReactNode;
}

/** Why it is so and what would change it, each with what opens it. */
function Changes({ comparison }: { comparison: Comparison }) {
  const { because, flips, rests } = comparison.verdict;
  // From which use on owning pays; of other work the table has what there is to say.
  const use = comparison.ties.length > 0 ? comparison.verdict.payoff : null;
  if (!because && !flips && !rests && !use) return null;
  return (
    <ul className={styles.changes}>
      {[use, because, rests].map(
        (text) =>
          text && (
            <li key={text}>
              <Figures text={text} comparison={comparison} />
            </li>
          ),
      )}
      {flips && (
        <li>
          <Explained className={styles.flips} of={() => explainFlips(comparison)}>
            <Rich text={flips} />
          </Explained>
        </li>
      )}
    </ul>
  );
}

/** Where costs as entered lead elsewhere than their means, and which ranges do it. */
export function AsEntered({ comparison }: { comparison: Comparison }) {
  const { entered } = comparison.verdict;
  return entered ? (
    <p className="muted">
      <Figures text={entered} comparison={comparison} />
    </p>
  ) : null;
}

/** The answer first: one sentence to repeat in a meeting, and how sure it is. */
export function VerdictPanel({ studyId, comparison, isBrief = false, children }: VerdictProps) {
  const { verdict, winner } = comparison;
  return (
    <section
      className={styles.verdict}
      style={winner ? colorOf(winner) : undefined}
      aria-label="Verdict"
    >
      <div>
        <p className={styles.headline} aria-live="polite" data-testid="verdict">
          <Figures text={verdict.headline} comparison={comparison} />
        </p>
        {!isBrief && <Changes comparison={comparison} />}
        {!isBrief && verdict.not_counted && <p className={styles.more}>{verdict.not_counted}</p>}
        <Remarks studyId={studyId} designs={comparison.designs} />
        {children}
      </div>
      {!isBrief && <HowSure comparison={comparison} />}
    </section>
  );
}
