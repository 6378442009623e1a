import { useId, type FormEvent, type ReactNode } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';
import { Fault } from './fault';

interface FormDialogProps {
  title: string;
  width?: number;
  /** What the button says that sends the form. */
  save: string;
  /** What is sent: while it is, the button waits; where it fails, the form says why. */
  of: { isPending: boolean; isError: boolean; error: unknown };
  /** Says why it failed itself. */
  tells?: boolean;
  onSave: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a window of its own, with the buttons that leave it. */
export function FormDialog(props: FormDialogProps) {
  const { title, width, save, of, tells, onSave, onClose, children } = props;
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave();
  };
  return (
    <Dialog
      title={title}
      width={width}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={id} disabled={of.isPending}>
            {save}
          </Button>
        </>
      }
    >
      <form id={id} className="dialog-form" onSubmit={submit}>
        {children}
        {!tells && <Fault of={of} />}
      </form>
    </Dialog>
  );
}
