import { useEffect, useState } from 'react';
import { Button } from './button';

const SHOWN_MS = 2000;

interface ShareButtonProps {
  small?: boolean;
  /** Why the address does not hold what is on the page; then it is not offered. */
  unfit?: string;
}

/** Copies the address of the page as it stands. */
export function ShareButton({ small, unfit }: ShareButtonProps) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [done]);
  const share = async () => {
    await navigator.clipboard.writeText(location.href);
    setDone(true);
  };
  return (
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
  );
}
