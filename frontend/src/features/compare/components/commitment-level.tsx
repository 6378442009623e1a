import { useQuery } from '@tanstack/react-query';
import { ToldChart } from '../../../components/told/told-figures';
import { figureOf } from '../../../lib/comparison';
import { documentQueryOptions } from '../../../lib/studies';
import { savedQueryOptions } from '../api/evaluate';
import styles from './charts.module.css';

const NAME = 'Why this commitment level';

/** Why a rented design commits as much as it does: its cost by the level, as the study is saved. */
export function CommitmentLevel({ studyId, letter }: { studyId: string; letter: string }) {
  const document = useQuery(documentQueryOptions(studyId)).data;
  const answer = useQuery(savedQueryOptions(studyId, document)).data;
  const figure = answer && figureOf(answer, NAME, letter);
  if (!figure) return null;
  return (
    <details className={styles.level}>
      <summary>{NAME}</summary>
      <ToldChart name={NAME} figure={figure} height={220} currency={answer.currency} small />
    </details>
  );
}
