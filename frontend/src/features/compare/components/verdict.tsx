import type { CSSProperties } from 'react';
import { Icon } from '../../../components/icon';
import { Rich } from '../../../components/rich';
import type { Comparison, Odds } from '../../../lib/comparison';
import { percent } from '../../../lib/format';
import styles from './verdict.module.css';

function colorOf(letter: string): CSSProperties {
  return { '--c': `var(--design-${letter})` } as CSSProperties;
}

function HowSure({
  odds,
  text,
  stale,
}: {
  odds: Odds | null;
  text: string | null;
  stale: boolean;
}) {
  const wins = Object.entries(odds?.wins ?? {}).sort((a, b) => b[1] - a[1]);
  return (
    <div className={`${styles.sure} ${stale ? styles.stale : ''}`}>
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
          <div className={`${styles.legend} small`}>
            {wins
              .filter(([, share]) => share > 0)
              .map(([letter, share]) => (
                <span key={letter} style={colorOf(letter)}>
                  <span className={styles.swatch} /> {letter} {percent(share)}
                </span>
              ))}
          </div>
          <p className="muted small">
            {text ? (
              <Rich text={text} />
            ) : (
              `Share of ${odds.draws_count.toLocaleString('en-GB')} draws in which each is cheapest.`
            )}
          </p>
        </>
      ) : (
        <p className="muted small">
          {text ?? 'No inputs of this study have a range, so nothing was drawn.'}
        </p>
      )}
    </div>
  );
}

interface VerdictProps {
  comparison: Comparison;
  /** The comparison that has odds: the last one that was let go. */
  drawn: Comparison;
  stale: boolean;
}

/** The answer first: one sentence to repeat in a meeting, and how sure it is. */
export function VerdictPanel({ comparison, drawn, stale }: VerdictProps) {
  const { verdict, winner, warnings } = comparison;
  const more = [verdict.payoff, verdict.flips ?? drawn.verdict.flips].filter(Boolean).join(' ');
  return (
    <section
      className={styles.verdict}
      style={winner ? colorOf(winner) : undefined}
      aria-label="Verdict"
    >
      <div>
        <p className={styles.headline} aria-live="polite" data-testid="verdict">
          <Rich text={verdict.headline} />
        </p>
        <p className={styles.more}>
          <Rich text={more} />
        </p>
        {warnings.length > 0 && (
          <ul className={`${styles.warnings} small`}>
            {warnings.map((warning) => (
              <li key={warning}>
                <Icon name="warning" size={14} /> {warning}
              </li>
            ))}
          </ul>
        )}
      </div>
      <HowSure odds={drawn.odds} text={drawn.verdict.odds} stale={stale} />
    </section>
  );
}
