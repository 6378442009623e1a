import { useEffect, useState } from 'react';
import { copyText } from '../lib/copy';
import { Button } from './button';
import { TextInput } from './control';
import { Dialog } from './dialog';

const SHOWN_MS = 2000;

interface ShareButtonProps {
  small?: boolean;
  /** Why the address does not hold what is on the page; then it is not offered. */
  unfit?: string;
}

function select(field: HTMLInputElement | null) {
  field?.focus();
  field?.select();
}

/** The address to copy by hand, selected. */
function Address({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Copy the address" onClose={onClose} width={520}>
      <p className="muted">The browser does not let this page copy. The address is selected.</p>
      <TextInput ref={select} aria-label="Address" readOnly value={location.href} />
    </Dialog>
  );
}

/** Copies the address of the page as it stands. */
export function ShareButton({ small, unfit }: ShareButtonProps) {
  const [done, setDone] = useState(false);
  const [byHand, setByHand] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [done]);
  const share = async () => {
    const copied = await copyText(location.href);
    setDone(copied);
    setByHand(!copied);
  };
  return (
    <>
      <Button
        small={small}
        icon={done ? 'check' : 'share'}
        disabled={unfit !== undefined}
        title={unfit}
        onClick={() => void share()}
        aria-live="polite"
      >
        {done ? 'Address copied' : 'Share'}
      </Button>
      {byHand && <Address onClose={() => setByHand(false)} />}
    </>
  );
}
