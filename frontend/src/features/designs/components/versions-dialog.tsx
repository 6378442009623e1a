import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { TextInput } from '../../../components/control';
import { Dialog } from '../../../components/dialog';
import { Fault } from '../../../components/fault';
import { Form } from '../../../components/form';
import { QueryState } from '../../../components/query-state';
import { dateTime } from '../../../lib/format';
import type { Design, DesignVersion } from '../../../lib/types';
import { lengthOf } from '../../../lib/lengths';
import { useSaveVersion, versionsQueryOptions } from '../api/versions';
import styles from './designs.module.css';

interface VersionsDialogProps {
  design: Design;
  onRestore: (version: DesignVersion) => void;
  onClose: () => void;
}

/** Named states of a design: keep the present one, or go back to another. */
export function VersionsDialog({ design, onRestore, onClose }: VersionsDialogProps) {
  const versions = useQuery(versionsQueryOptions(design.id));
  const save = useSaveVersion(design.id);
  const [name, setName] = useState('');
  const submit = () => save.mutate(name.trim(), { onSuccess: () => setName('') });
  const restore = (version: DesignVersion) => {
    onRestore(version);
    onClose();
  };
  return (
    <Dialog title={`Versions of ${design.letter}, ${design.title}`} onClose={onClose}>
      <div className="stack gap-16">
        <Form className="flex gap-8" onSend={submit}>
          <TextInput
            large
            required
            maxLength={lengthOf('VersionCreateInput.name')}
            aria-label="Name of the version"
            placeholder="Name of the present state, such as: quote of March"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="submit" look="primary" disabled={save.isPending}>
            Keep
          </Button>
        </Form>
        <Fault of={save} />
        <QueryState query={versions} empty="No version has a name yet.">
          {(list) => (
            <ul className={styles.versionList}>
              {list.toReversed().map((version) => (
                <li key={version.id}>
                  <span>
                    {version.name}
                    <br />
                    <span className="muted small">{dateTime(version.created_at)}</span>
                  </span>
                  <Button small onClick={() => restore(version)}>
                    Go back to it
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </QueryState>
      </div>
    </Dialog>
  );
}
