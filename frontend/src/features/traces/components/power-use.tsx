import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { Button } from '../../../components/button';
import { Select } from '../../../components/control';
import { messageOf } from '../../../lib/problem';
import { studyChoicesQueryOptions, studyQueryOptions } from '../../../lib/studies';
import type { Trace } from '../../../lib/traces';
import type { Design } from '../../../lib/types';
import { useChangeDesign } from '../api/power';
import { groupsOf, withPower, type PowerAnswer } from '../power';
import own from './cache-panel.module.css';

interface Place {
  design: Design;
  pointer: string;
  label: string;
}

/** Every node group of a study, under the letter of its design. */
function useGroups(study: string): Place[] {
  const { data } = useQuery({ ...studyQueryOptions(study), enabled: study !== '' });
  return (data?.designs ?? []).flatMap((design) =>
    groupsOf(design).map(({ pointer, name }) => ({
      design,
      pointer,
      label: `${design.letter}, ${name}`,
    })),
  );
}

const keyOf = ({ design, pointer }: Place) => `${design.id} ${pointer}`;

/** Takes the curve to a node group of a design. */
export function UsePower({ answer, trace }: { answer: PowerAnswer; trace: Trace }) {
  const id = useId();
  const cards = useQuery(studyChoicesQueryOptions).data?.results ?? [];
  const [wantedStudy, setStudy] = useState('');
  const study = wantedStudy || (cards[0]?.id ?? '');
  const places = useGroups(study);
  const [wanted, setWanted] = useState('');
  const place = places.find((one) => keyOf(one) === wanted) ?? places[0];
  const change = useChangeDesign();
  const use = () =>
    place &&
    change.mutate({
      design: place.design,
      ...withPower(place.design, place.pointer, answer, trace),
    });
  return (
    <section className={own.panel} aria-label="Use it in a design">
      <div className={own.field}>
        <label htmlFor={`${id}-study`}>Study</label>
        <Select
          id={`${id}-study`}
          value={study}
          choices={cards.map((card) => ({ value: card.id, label: card.title }))}
          onChange={(event) => setStudy(event.target.value)}
        />
      </div>
      <div className={own.field}>
        <label htmlFor={`${id}-group`}>Node group of a design</label>
        <Select
          id={`${id}-group`}
          value={place ? keyOf(place) : ''}
          disabled={places.length === 0}
          choices={
            places.length > 0
              ? places.map((one) => ({ value: keyOf(one), label: one.label }))
              : [{ value: '', label: 'This study owns no nodes' }]
          }
          onChange={(event) => setWanted(event.target.value)}
        />
      </div>
      <div>
        <Button look="primary" disabled={!place || change.isPending} onClick={use}>
          Use in this node group
        </Button>
      </div>
      <p className="small" aria-live="polite">
        {change.isError && <span className="fault">{messageOf(change.error)}</span>}
        {change.isSuccess && (
          <>
            Design {change.data.letter} has this curve now.{' '}
            <Link to="/studies/$studyId/designs" params={{ studyId: change.data.study }}>
              Open it
            </Link>
          </>
        )}
      </p>
    </section>
  );
}
