import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { ChartPanel } from '../../../components/chart-panel';
import type { Comparison } from '../../../lib/comparison';
import { documentQueryOptions } from '../../../lib/studies';
import { useTheme } from '../../../lib/theme';
import { savedQueryOptions } from '../api/evaluate';
import { commitments } from '../figures/commitments';
import styles from './charts.module.css';

interface LevelProps {
  comparison: Comparison;
  letter: string;
}

function Level({ comparison, letter }: LevelProps) {
  const theme = useTheme();
  const { currency } = comparison;
  const build = useCallback(
    () => commitments(comparison, { theme, currency, narrow: true }, letter),
    [comparison, theme, currency, letter],
  );
  return (
    <ChartPanel
      name="Why this commitment level"
      build={build}
      height={220}
      currency={comparison.currency}
    />
  );
}

/** Why a rented design commits as much as it does: its cost by the level, as the study is saved. */
export function CommitmentLevel({ studyId, letter }: { studyId: string; letter: string }) {
  const document = useQuery(documentQueryOptions(studyId)).data;
  const answer = useQuery(savedQueryOptions(studyId, document)).data?.result;
  const isHeld = answer?.commitments.some((curve) => curve.letter === letter);
  if (!answer || !isHeld) return null;
  return (
    <details className={styles.level}>
      <summary>Why this commitment level</summary>
      <Level comparison={answer} letter={letter} />
    </details>
  );
}
