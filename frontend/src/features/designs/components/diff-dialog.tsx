import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Select } from '../../../components/control';
import { Dialog } from '../../../components/dialog';
import { Empty, QueryState } from '../../../components/query-state';
import type { JsonSchema } from '../../../lib/schema';
import { useCurrency } from '../../../lib/studies';
import type { Design, Study } from '../../../lib/types';
import { diffQueryOptions, versionsQueryOptions } from '../api/versions';
import { DifferenceList } from './difference-list';

interface DiffDialogProps {
  design: Design;
  study: Study;
  schema: JsonSchema | undefined;
  root: JsonSchema;
  onClose: () => void;
}

/** What leads from another design, or a version of this one, to this one. */
export function DiffDialog({ design, study, schema, root, onClose }: DiffDialogProps) {
  const currency = useCurrency(study.id);
  const versions = useQuery(versionsQueryOptions(design.id)).data ?? [];
  const others = study.designs.filter((entry) => entry.id !== design.id);
  const choices = [
    ...versions.map(({ id, name }) => ({ value: id, label: `Version ${name}` })),
    ...others.map(({ id, letter, title }) => ({ value: id, label: `${letter}, ${title}` })),
  ];
  const [chosen, setChosen] = useState('');
  const against = chosen || choices[0]?.value || '';
  const diff = useQuery({ ...diffQueryOptions(design.id, against), enabled: against !== '' });
  return (
    <Dialog
      title={`What differs in ${design.letter}, ${design.title}`}
      width={720}
      onClose={onClose}
    >
      <div className="stack gap-16">
        {choices.length === 0 ? (
          <Empty>There is no other design and no version to compare with.</Empty>
        ) : (
          <Select
            aria-label="Compared with"
            choices={choices}
            value={against}
            onChange={(event) => setChosen(event.target.value)}
          />
        )}
        {against && (
          <QueryState
            query={diff}
            isEmpty={(answer) => answer.differences.length === 0}
            empty="They are the same."
          >
            {(answer) => (
              <DifferenceList
                lines={answer.differences as never}
                heads={[answer.against_title, design.title]}
                schema={schema}
                root={root}
                document={design.spec}
                currency={currency}
              />
            )}
          </QueryState>
        )}
      </div>
    </Dialog>
  );
}
