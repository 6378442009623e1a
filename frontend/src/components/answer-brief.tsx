import type { ReactNode } from 'react';
import type { Comparison, DesignResult } from '../lib/comparison';
import { money, percent, range, type Currency } from '../lib/format';
import { DesignBadge } from './design-badge';
import { Rich } from './rich';
import { Warnings } from './warnings';
import styles from './answer-brief.module.css';

interface LineProps {
  design: DesignResult;
  currency: Currency;
  wins: number | undefined;
}

function Line({ design, currency, wins }: LineProps) {
  const { letter, p10_usd: low, p90_usd: high } = design;
  const notes = [design.shortfall, ...design.remarks].filter((one) => one != null);
  const odds = [
    low != null && high != null && `P10–P90 ${range(low, high, 'USD', currency)}`,
    wins !== undefined && `cheapest in ${percent(wins)}`,
  ].filter((one) => one !== false);
  return (
    <li>
      <DesignBadge letter={letter} />
      <span>{design.title}</span>
      <span className="num">{money(design.ranked_usd, currency)}</span>
      {odds.length > 0 && <p className="muted small num">{odds.join(', ')}</p>}
      {notes.map(({ sentence }) => (
        <p key={sentence} className="muted small">
          {sentence}
        </p>
      ))}
    </li>
  );
}

interface AnswerBriefProps {
  comparison: Comparison;
  /** What the list of designs is called. */
  label: string;
  /** Whether the answer is of what was entered before. */
  isOld: boolean;
  children?: ReactNode;
}

/** An answer beside what it is of: what is decided, why, what would change it, and what to watch. */
export function AnswerBrief({ comparison, label, isOld, children }: AnswerBriefProps) {
  const { verdict, designs, currency, odds } = comparison;
  const reasons = [verdict.because, verdict.rests, verdict.flips].filter((one) => one != null);
  return (
    <div className={`${styles.brief} ${isOld ? styles.old : ''}`} aria-busy={isOld}>
      <p className={styles.headline} data-testid="verdict" aria-live="polite">
        <Rich text={verdict.headline} />
      </p>
      <ul className={`${styles.designs} stack gap-6`} aria-label={label}>
        {designs.map((design) => (
          <Line
            key={design.letter}
            design={design}
            currency={currency}
            wins={odds?.wins[design.letter]}
          />
        ))}
      </ul>
      {reasons.length > 0 && (
        <ul className={`${styles.reasons} muted`}>
          {reasons.map((text) => (
            <li key={text}>
              <Rich text={text} />
            </li>
          ))}
        </ul>
      )}
      <p className="muted small">{verdict.odds ?? verdict.odds_reason}</p>
      {verdict.not_counted && <p className="muted small">{verdict.not_counted}</p>}
      <Warnings comparison={comparison} isBrief />
      {children}
    </div>
  );
}
