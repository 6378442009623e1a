import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { Button } from '../../../components/button';
import { TextArea, TextInput } from '../../../components/control';
import { Dialog } from '../../../components/dialog';
import { Fault } from '../../../components/fault';
import { useCreateStudy } from '../api/change-studies';
import styles from './studies.module.css';

export function NewStudy({ onClose }: { onClose: () => void }) {
  const [title, setTitle] = useState('');
  const [question, setQuestion] = useState('');
  const create = useCreateStudy();
  const navigate = useNavigate();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(
      { title: title.trim(), question },
      {
        onSuccess: (study) => {
          if (study)
            void navigate({ to: '/studies/$studyId/designs', params: { studyId: study.id } });
        },
      },
    );
  };
  return (
    <Dialog
      title="New study"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="new-study" disabled={create.isPending}>
            Create
          </Button>
        </>
      }
    >
      <form id="new-study" className={styles.form} onSubmit={submit}>
        <label>
          Title
          <TextInput
            large
            required
            maxLength={200}
            value={title}
            placeholder="Rent or own, Frankfurt"
            onChange={(event) => setTitle(event.target.value)}
          />
        </label>
        <label>
          Question
          <TextArea
            value={question}
            maxLength={5000}
            placeholder="What has to be decided, and by when?"
            onChange={(event) => setQuestion(event.target.value)}
          />
        </label>
        <Fault of={create} />
      </form>
    </Dialog>
  );
}
