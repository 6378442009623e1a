import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../api-types/schema';
import { Button } from '../../../components/button';
import { RunPdf } from '../../../components/run-pdf';
import { messageOf } from '../../../lib/problem';
import { useReferTo, type Referred } from '../../../lib/tool-runs';
import { TOOLS } from '../search';
import { stateOf, type ToolProps } from './use-tool-state';
import styles from './tools.module.css';

type Asked = Pick<Referred, 'model' | 'design' | 'pointers' | 'entries'> & {
  /** What the tool was asked; nothing while it has no answer. */
  params: Referred['params'] | null | undefined;
};

interface ReferProps extends Asked {
  of: ToolProps;
}

/** Puts what a tool found into the study that it works for: by reference, not as copied figures. */
export function Refer({ of: { tool, search, part }, ...asked }: ReferProps) {
  if (!asked.params) return null;
  const pdf = <RunPdf model={asked.model} params={asked.params} />;
  if (search.study === undefined) {
    return (
      <div className={styles.bar}>
        <p className="muted small">Choose a study above to add this result to it.</p>
        {pdf}
      </div>
    );
  }
  return (
    <Add studyId={search.study} tool={tool} state={stateOf(search.s, part)} asked={asked}>
      {pdf}
    </Add>
  );
}

interface AddProps {
  studyId: string;
  tool: components['schemas']['ToolEnum'];
  state: Referred['state'];
  asked: Asked;
  children: ReactNode;
}

function Add({ studyId, tool, state, asked, children }: AddProps) {
  const refer = useReferTo(studyId);
  const title = TOOLS.find(({ slug }) => slug === tool)?.title ?? tool;
  const add = () => {
    const { params } = asked;
    if (params) refer.mutate({ ...asked, params, tool, title, state });
  };
  return (
    <div className={styles.bar}>
      <Button icon="plus" disabled={refer.isPending} onClick={add}>
        {refer.isPending ? 'Adding …' : 'Add this result to the study'}
      </Button>
      {children}
      <p className="small" aria-live="polite">
        {refer.error != null && (
          <span className="small right fault whole">{messageOf(refer.error)}</span>
        )}
        {refer.isSuccess && (
          <>
            The study refers to this result.{' '}
            <Link to="/studies/$studyId/compare" params={{ studyId }} hash="tool-results">
              See it there
            </Link>
          </>
        )}
      </p>
    </div>
  );
}
