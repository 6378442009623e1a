import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { jobKey } from '../lib/job-events';
import { messageOf, Offline } from '../lib/problem';
import {
  type SaidOfFile,
  upload,
  UploadStopped,
  type Upload,
  type UploadKind,
} from '../lib/upload';
import { Button, type ButtonLook } from './button';
import { Progress } from './progress';
import styles from './uploads.module.css';

interface Sending {
  key: number;
  file: File;
  fraction: number;
  upload: Upload<unknown>;
  error: string | null;
}

let count = 0;

const sentenceOf = (error: unknown) =>
  error instanceof Offline
    ? 'The connection broke. What was sent is kept for a day: try again, or send the same file later.'
    : messageOf(error);

/** Files on their way to the server, and how to send more; each becomes a job of a kind. */
export function useUploads<T extends { id: string }>(
  kind: UploadKind,
  onSent: (made: T) => void,
  of?: SaidOfFile,
) {
  const client = useQueryClient();
  const [sending, setSending] = useState<Sending[]>([]);
  const change = (key: number, next: Partial<Sending> | null) =>
    setSending((all) =>
      next === null
        ? all.filter((one) => one.key !== key)
        : all.map((one) => (one.key === key ? { ...one, ...next } : one)),
    );
  const send = (file: File) => {
    const key = (count += 1);
    const started = upload<T>(kind, file, (fraction) => change(key, { fraction }), of);
    setSending((all) => [...all, { key, file, fraction: 0, upload: started, error: null }]);
    started.done.then(
      (made) => {
        change(key, null);
        client.setQueryData(jobKey(kind, made.id), made);
        void client.invalidateQueries({ queryKey: ['jobs', kind] });
        onSent(made);
      },
      (error: unknown) =>
        change(key, error instanceof UploadStopped ? null : { error: sentenceOf(error) }),
    );
  };
  const dismiss = (key: number) => change(key, null);
  const sendAgain = (one: Sending) => {
    dismiss(one.key);
    send(one.file);
  };
  return { sending, send, sendAgain, dismiss };
}

type Uploads = ReturnType<typeof useUploads>;

/** What is being sent: how far, with a way to stop it. */
export function UploadRows({ uploads }: { uploads: Uploads }) {
  if (uploads.sending.length === 0) return null;
  return (
    <div className={styles.uploads} aria-live="polite">
      {uploads.sending.map((one) => (
        <div key={one.key} className={styles.upload}>
          <div className={`${styles.line} line gap-8`}>
            <strong>{one.file.name}</strong>
            {one.error === null ? (
              <>
                <span className="muted small num">sent {Math.floor(one.fraction * 100)}%</span>
                <Button small look="danger" onClick={one.upload.cancel}>
                  Cancel
                </Button>
              </>
            ) : (
              <>
                <Button small onClick={() => uploads.sendAgain(one)}>
                  Try again
                </Button>
                <Button small onClick={() => uploads.dismiss(one.key)}>
                  Close
                </Button>
              </>
            )}
          </div>
          {one.error === null ? (
            <Progress fraction={one.fraction} label={`Sending ${one.file.name}`} />
          ) : (
            <p className="fault" role="alert">
              {one.error}
            </p>
          )}
        </div>
      ))}
    </div>
  );
}

const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

/** Takes files that are dropped anywhere on the page. */
export function DropAnywhere({ onFiles }: { onFiles: (files: File[]) => void }) {
  const [over, setOver] = useState(false);
  const depth = useRef(0);
  const take = useRef(onFiles);
  useEffect(() => {
    take.current = onFiles;
  });
  useEffect(() => {
    const enter = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      depth.current += 1;
      setOver(true);
    };
    const leave = () => {
      depth.current = Math.max(0, depth.current - 1);
      if (depth.current === 0) setOver(false);
    };
    const stay = (event: DragEvent) => {
      if (holdsFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      depth.current = 0;
      setOver(false);
      take.current(Array.from(event.dataTransfer?.files ?? []));
    };
    window.addEventListener('dragenter', enter);
    window.addEventListener('dragleave', leave);
    window.addEventListener('dragover', stay);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragenter', enter);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('dragover', stay);
      window.removeEventListener('drop', drop);
    };
  }, []);
  return over ? <div className={styles.over}>Drop the file to read it</div> : null;
}

/** A button that opens the file dialog. */
export function ChooseFile({
  onFiles,
  label,
  look = 'primary',
  children,
}: {
  onFiles: (files: File[]) => void;
  label: string;
  look?: ButtonLook;
  children: ReactNode;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        onChange={(event) => {
          const files = Array.from(event.target.files ?? []);
          event.target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      <Button look={look} icon="upload" onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}
