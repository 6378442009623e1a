import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Select } from '../../../components/control';
import { api, body } from '../../../lib/api';
import type { Page, StudyCard } from '../../../lib/types';
import styles from './tools.module.css';

const MOST = 100;
const NONE = '';

interface StudyChoiceProps {
  studyId: string | undefined;
  onChange: (studyId: string | undefined) => void;
}

/** The study that a tool works for: its prices are used, and results go into it. */
export function StudyChoice({ studyId, onChange }: StudyChoiceProps) {
  const id = useId();
  const studies = useQuery({
    queryKey: ['studies', 'of tools'],
    queryFn: () =>
      body<Page<StudyCard>>(api.GET('/api/v1/studies', { params: { query: { limit: MOST } } })),
  });
  const choices = (studies.data?.results ?? []).map(({ id: value, title }) => ({
    value,
    label: title,
  }));
  return (
    <div className={`${styles.forStudy} row gap-8`}>
      <label htmlFor={id}>For study</label>
      <Select
        id={id}
        value={studyId ?? NONE}
        choices={[{ value: NONE, label: 'None' }, ...choices]}
        onChange={(event) => onChange(event.target.value || undefined)}
      />
    </div>
  );
}
