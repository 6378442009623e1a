import { useRef, useState } from 'react';
import { copyText } from '../lib/copy';
import { Button } from './button';
import styles from './secret-line.module.css';

interface SecretLineProps {
  title: string;
  /** Null in the answer to a repeated request. */
  secret: string | null;
  onDone: () => void;
}

/** Something that is shown once: to be copied now. */
export function SecretLine({ title, secret, onDone }: SecretLineProps) {
  const [copied, setCopied] = useState(false);
  const line = useRef<HTMLElement>(null);
  const copy = async () => {
    if (await copyText(secret ?? '')) setCopied(true);
    else if (line.current) getSelection()?.selectAllChildren(line.current);
  };
  return (
    <div className={styles.secret} role="status">
      <strong>{title}</strong>
      <code ref={line}>{secret}</code>
      <div>
        <Button small icon={copied ? 'check' : 'copy'} onClick={() => void copy()}>
          {copied ? 'Copied' : 'Copy'}
        </Button>{' '}
        <Button small look="quiet" onClick={onDone}>
          I have it
        </Button>
      </div>
    </div>
  );
}
