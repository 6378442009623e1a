import { useState } from 'react';
import { TextInput } from '../../../components/control';
import { FormDialog } from '../../../components/form-dialog';
import { useChangeStudy } from '../api/change-studies';
import { lengthOf } from '../../../lib/lengths';

interface StudyDetailsProps {
  study: { id: string; revision: number; title: string; tags: string[] };
  onClose: () => void;
}

/** Tags as they are typed: by commas, each once. */
export function tagsOf(text: string): string[] {
  const found = text.split(',').map((tag) => tag.trim().replaceAll(/\s+/g, ' '));
  return [...new Set(found.filter((tag) => tag !== ''))];
}

/** The title of a study and its tags. */
export function StudyDetails({ study, onClose }: StudyDetailsProps) {
  const [title, setTitle] = useState(study.title);
  const [tags, setTags] = useState(study.tags.join(', '));
  const change = useChangeStudy();
  const submit = () => {
    const fields = { title: title.trim(), tags: tagsOf(tags) };
    change.mutate({ id: study.id, revision: study.revision, fields }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title="Rename the study"
      width={480}
      save="Save"
      of={change}
      onSave={submit}
      onClose={onClose}
    >
      <label>
        Title
        <TextInput
          large
          required
          maxLength={lengthOf('StudyUpdateInput.title')}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
      </label>
      <label>
        Tags, separated by commas
        <TextInput
          value={tags}
          placeholder="2027 budget, Frankfurt"
          onChange={(event) => setTags(event.target.value)}
        />
      </label>
    </FormDialog>
  );
}
