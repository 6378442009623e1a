import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Design, Study } from '../../lib/types';
import { keepDesign, keepStudy, saveDesign, saveStudy } from './api/save';
import { noteDesignLeft, noteStudyLeft } from './ranges-left';
import { Draft, type DraftState, type Stored } from './draft';

const PREFIX = 'ampacity.draft.';

const open = new Set<() => Promise<void>>();

/** Sends what is typed anywhere on the page, without waiting for a pause. */
export async function flushDrafts(): Promise<void> {
  await Promise.all([...open].map((flush) => flush()));
}

function useOpenDraft<T extends Stored>(draft: Draft<T>, stored: T): DraftState<T> {
  useEffect(() => {
    draft.refresh(stored);
  }, [draft, stored]);
  useEffect(() => {
    const flush = () => void draft.flush();
    const hidden = () => {
      if (document.visibilityState === 'hidden') flush();
    };
    open.add(draft.flush);
    window.addEventListener('online', flush);
    document.addEventListener('visibilitychange', hidden);
    return () => {
      open.delete(draft.flush);
      window.removeEventListener('online', flush);
      document.removeEventListener('visibilitychange', hidden);
      draft.close();
    };
  }, [draft]);
  return useSyncExternalStore(draft.subscribe, () => draft.state);
}

export function useDesignDraft(design: Design) {
  const client = useQueryClient();
  const { id } = design;
  const draft = useMemo(
    () =>
      new Draft<Design>({
        key: `${PREFIX}design.${id}`,
        initial: design,
        shelf: localStorage,
        save: async (edits, revision) => {
          const saved = await saveDesign(id)(edits, revision);
          noteDesignLeft(client, saved);
          return saved;
        },
        onSaved: (saved) => keepDesign(client, saved),
      }),
    // What the server says later comes by `refresh`.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- one draft per design
    [client, id],
  );
  return { draft, state: useOpenDraft(draft, design) };
}

export function useStudyDraft(study: Study) {
  const client = useQueryClient();
  const { id } = study;
  const draft = useMemo(
    () =>
      new Draft<Study>({
        key: `${PREFIX}study.${id}`,
        initial: study,
        shelf: localStorage,
        save: async (edits, revision) => {
          const saved = await saveStudy(id)(edits, revision);
          noteStudyLeft(client, saved);
          return saved;
        },
        onSaved: (saved) => keepStudy(client, saved),
      }),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- one draft per study
    [client, id],
  );
  return { draft, state: useOpenDraft(draft, study) };
}
