import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Fault } from '../../../components/fault';
import { Form } from '../../../components/form';
import { Panel } from '../../../components/panel';
import { TextField } from '../../../components/text-field';
import { ROLES } from '../../../lib/roles';
import type { Session } from '../../../lib/types';
import { useCreateWorkspace, useLeaveWorkspace, useRenameWorkspace } from '../../../lib/workspaces';
import { lengthOf } from '../../../lib/lengths';
import styles from './settings.module.css';

function NameForm(props: {
  label: string;
  action: string;
  start: string;
  isPending: boolean;
  onName: (name: string) => void;
}) {
  const [name, setName] = useState(props.start);
  const submit = () => props.onName(name.trim());
  return (
    <Form className={styles.password} onSend={submit}>
      <TextField
        label={props.label}
        className="field"
        required
        maxLength={lengthOf('WorkspaceInput.name')}
        value={name}
        onText={setName}
      />
      <Button type="submit" disabled={props.isPending || ['', props.start].includes(name.trim())}>
        {props.action}
      </Button>
    </Form>
  );
}

/** The workspace that one is in: its name, leaving it, making another one. */
export function WorkspacePanel({ session }: { session: Session }) {
  const navigate = useNavigate();
  const { id, name, role } = session.workspace;
  const rename = useRenameWorkspace();
  const create = useCreateWorkspace();
  const leave = useLeaveWorkspace();
  const home = { onSuccess: () => navigate({ to: '/' }) };
  const failed = [rename, create, leave].find((one) => one.isError);
  return (
    <Panel
      id="workspace"
      title="Workspace"
      about={
        <>
          You are {ROLES[role].named} of {name}.
        </>
      }
      actions={
        <Button
          look="danger"
          disabled={leave.isPending}
          ask={`Leave "${name}"? Its studies are not shown to you any more.`}
          onClick={() => leave.mutate(id, home)}
        >
          Leave
        </Button>
      }
    >
      {role === 'owner' && (
        <NameForm
          key={name}
          label="Workspace name"
          action="Rename"
          start={name}
          isPending={rename.isPending}
          onName={(value) => rename.mutate({ workspace_id: id, name: value })}
        />
      )}
      <NameForm
        label="New workspace, with the examples in it"
        action="Create workspace"
        start=""
        isPending={create.isPending}
        onName={(value) => create.mutate(value, home)}
      />
      {failed && <Fault of={failed} />}
    </Panel>
  );
}
