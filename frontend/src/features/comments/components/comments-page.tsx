import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, IconButton } from '../../../components/button';
import { Chip } from '../../../components/chip';
import { Segments, Select, TextArea } from '../../../components/control';
import { Fault } from '../../../components/fault';
import { Form } from '../../../components/form';
import { QueryState } from '../../../components/query-state';
import {
  commentsQueryOptions,
  useAddComment,
  useRemoveComment,
  useSettleComment,
} from '../../../lib/comments';
import { dateTime } from '../../../lib/format';
import { useSession } from '../../../lib/session';
import { studyQueryOptions } from '../../../lib/studies';
import type { Comment } from '../../../lib/types';
import { lengthOf } from '../../../lib/lengths';
import styles from './comments.module.css';

interface PlaceProps {
  studyId: string;
  about: string | undefined;
  onAbout: (about: string | undefined) => void;
}

function NewComment({ studyId, about, onAbout }: PlaceProps) {
  const study = useQuery(studyQueryOptions(studyId));
  const add = useAddComment(studyId);
  const [text, setText] = useState('');
  const [letter, setLetter] = useState('');
  const submit = () => {
    const place = about ? { place: about, place_title: about } : { letter };
    const done = () => {
      setText('');
      onAbout(undefined);
    };
    add.mutate({ text: text.trim(), ...place }, { onSuccess: done });
  };
  const designs = study.data?.designs ?? [];
  const choices = [
    { value: '', label: 'The study' },
    ...designs.map((row) => ({ value: row.letter, label: `${row.letter} ${row.title}` })),
  ];
  return (
    <Form className={`${styles.form} stack gap-8 full`} onSend={submit}>
      <div className={styles.about}>
        <span className="muted small">About</span>
        {about ? (
          <span>
            <Chip tone="action">{about}</Chip>
            <IconButton
              icon="close"
              label="Not about this number"
              onClick={() => onAbout(undefined)}
            />
          </span>
        ) : (
          <Select
            aria-label="About"
            choices={choices}
            value={letter}
            onChange={(event) => setLetter(event.target.value)}
          />
        )}
      </div>
      <TextArea
        aria-label="Comment"
        required
        maxLength={lengthOf('CommentInput.text')}
        rows={3}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" look="primary" disabled={add.isPending || text.trim() === ''}>
        Comment
      </Button>
      <Fault of={add} />
    </Form>
  );
}

function placeOf(comment: Comment): string {
  if (comment.place_title) return comment.place_title;
  return comment.letter ? `Design ${comment.letter}` : 'The study';
}

function Row({ studyId, comment }: { studyId: string; comment: Comment }) {
  const session = useSession();
  const settle = useSettleComment(studyId);
  const remove = useRemoveComment(studyId);
  const settled = comment.resolved_at !== null;
  const mayRemove = comment.author === session?.user.email || session?.workspace.role === 'owner';
  return (
    <li className={settled ? styles.settled : undefined}>
      <div className={`${styles.line} line apart gap-8`}>
        <span>
          <Chip tone={settled ? 'neutral' : 'action'}>{placeOf(comment)}</Chip>{' '}
          <strong>{comment.author}</strong>{' '}
          <span className="muted small">{dateTime(comment.created_at)}</span>
        </span>
        <span>
          <Button
            small
            disabled={settle.isPending}
            onClick={() => settle.mutate({ comment_id: comment.id, resolved: !settled })}
          >
            {settled ? 'Open again' : 'Resolve'}
          </Button>{' '}
          {mayRemove && (
            <IconButton
              icon="trash"
              label="Delete the comment"
              onClick={() => {
                if (confirm('Delete this comment?')) remove.mutate(comment.id);
              }}
            />
          )}
        </span>
      </div>
      <p className={styles.text}>{comment.text}</p>
      {settled && (
        <span className="muted small">
          Resolved by {comment.resolved_by}, {dateTime(comment.resolved_at)}
        </span>
      )}
    </li>
  );
}

const SHOWN = [
  { value: 'open', label: 'Open' },
  { value: 'all', label: 'All' },
];

/** What people say of a study, its designs and its numbers. */
export function CommentsPage({ studyId, about, onAbout }: PlaceProps) {
  const comments = useQuery(commentsQueryOptions(studyId));
  const [shown, setShown] = useState('open');
  const wanted = (row: Comment) => shown === 'all' || row.resolved_at === null;
  return (
    <div className={styles.page}>
      <NewComment key={about ?? ''} studyId={studyId} about={about} onAbout={onAbout} />
      <Segments label="Comments shown" value={shown} choices={SHOWN} onChange={setShown} />
      <QueryState
        query={comments}
        minHeight={80}
        isEmpty={(rows) => !rows.some(wanted)}
        empty={shown === 'open' ? 'No open comment.' : 'No comment.'}
      >
        {(rows) => (
          <ul className={`${styles.list} stack gap-12 full`}>
            {rows.filter(wanted).map((row) => (
              <Row key={row.id} studyId={studyId} comment={row} />
            ))}
          </ul>
        )}
      </QueryState>
    </div>
  );
}
