import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Rich } from '../../../components/rich';
import { searchedQueryOptions } from '../../../lib/searched';
import type { StudyDocument } from '../../../lib/types';
import styles from './verdict.module.css';

interface SearchedProps {
  studyId: string;
  document: StudyDocument;
  /** Letter of the cheapest design, whose sentence comes first. */
  winner: string | null;
}

/** How far the designs are from the best that the last search of the catalogue found. */
export function Searched({ studyId, document, winner }: SearchedProps) {
  const searched = useQuery(searchedQueryOptions(studyId, document)).data;
  const compared = searched?.compared ?? [];
  const first = compared.find(({ letter }) => letter === winner) ?? compared[0];
  if (!searched || !first) return null;
  return (
    <details className={`${styles.more} small`} aria-label="Best of the catalogue">
      <summary>{first.sentence}</summary>
      <ul className={styles.changes}>
        {compared
          .filter((one) => one !== first)
          .map(({ letter, sentence }) => (
            <li key={letter}>{sentence}</li>
          ))}
        <li>
          <Rich text={searched.sentence} />{' '}
          <Link to="/studies/$studyId/catalogue" params={{ studyId }}>
            Explore designs
          </Link>
        </li>
      </ul>
    </details>
  );
}
