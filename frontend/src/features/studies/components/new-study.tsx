import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { TextArea, TextInput } from '../../../components/control';
import { FormDialog } from '../../../components/form-dialog';
import { useCreateStudy } from '../api/change-studies';
import { lengthOf } from '../../../lib/lengths';

export function NewStudy({ onClose }: { onClose: () => void }) {
  const [title, setTitle] = useState('');
  const [question, setQuestion] = useState('');
  const create = useCreateStudy();
  const navigate = useNavigate();
  const submit = () => {
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
    <FormDialog title="New study" save="Create" of={create} onSave={submit} onClose={onClose}>
      <label>
        Title
        <TextInput
          large
          required
          maxLength={lengthOf('StudyCreateInput.title')}
          value={title}
          placeholder="Rent or own, Frankfurt"
          onChange={(event) => setTitle(event.target.value)}
        />
      </label>
      <label>
        Question
        <TextArea
          value={question}
          maxLength={lengthOf('StudyCreateInput.question')}
          placeholder="What has to be decided, and by when?"
          onChange={(event) => setQuestion(event.target.value)}
        />
      </label>
    </FormDialog>
  );
}
