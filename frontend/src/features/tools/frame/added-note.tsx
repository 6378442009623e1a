import { Link } from '@tanstack/react-router';
import { messageOf } from '../../../lib/problem';

interface AddedNoteProps {
  studyId: string;
  /** The designs that were put into the study; nothing before. */
  added: readonly { letter: string; title: string }[] | undefined;
  error: unknown;
}

/** Says which designs are in the study now, and leads to them; or why they are not. */
export function AddedNote({ studyId, added, error }: AddedNoteProps) {
  const one = added?.length === 1 ? added[0] : undefined;
  return (
    <p className="small" aria-live="polite">
      {error != null && <span className="small right fault whole">{messageOf(error)}</span>}
      {added && (
        <>
          {one
            ? `Design ${one.letter}, ${one.title}, is in the study. `
            : `Designs ${added.map(({ letter }) => letter).join(' and ')} are in the study. `}
          <Link
            to="/studies/$studyId/designs"
            params={{ studyId }}
            search={one && { at: `/designs/${one.letter}/node_groups/0/count` }}
          >
            {one ? 'Open it' : 'Open'}
          </Link>{' '}
          or{' '}
          <Link to="/studies/$studyId/compare" params={{ studyId }}>
            compare
          </Link>
          .
        </>
      )}
    </p>
  );
}
