import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { IconButton } from '../../../components/button';
import { api, body } from '../../../lib/api';
import { messageOf } from '../../../lib/problem';
import type { Study } from '../../../lib/types';
import { keepStudy } from '../api/save';
import { flushDrafts } from '../use-draft';

type Way = 'undo' | 'redo';

function useStep(study: Study) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (way: Way) => {
      // What is being typed is an edit of its own: it is saved first.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      await flushDrafts();
      const params = { path: { study_id: study.id } };
      return body<Study>(
        way === 'undo'
          ? api.POST('/api/v1/studies/{study_id}/undo', { params })
          : api.POST('/api/v1/studies/{study_id}/redo', { params }),
      );
    },
    onSuccess: (found) => keepStudy(client, found),
    scope: { id: `steps of ${study.id}` },
  });
}

/** Fields with an undo of their own: long texts and searches. */
const keepsItsOwn = (target: EventTarget | null) =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && target.type === 'search') ||
  (target instanceof Element && target.closest('[role="dialog"]') !== null);

function wayOf(event: KeyboardEvent): Way | null {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (key === 'z') return event.shiftKey ? 'redo' : 'undo';
  return key === 'y' && !event.shiftKey ? 'redo' : null;
}

/** Takes the last edit of a study back, and makes it again: by button, Ctrl+Z, Ctrl+Shift+Z. */
export function UndoRedo({ study }: { study: Study }) {
  const step = useStep(study);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const way = wayOf(event);
    if (way === null || keepsItsOwn(event.target)) return;
    event.preventDefault();
    step.mutate(way);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  return (
    <span className="inline gap-2">
      <IconButton
        icon="undo"
        label="Undo (Ctrl+Z)"
        disabled={step.isPending || !study.can_undo}
        onClick={() => step.mutate('undo')}
      />
      <IconButton
        icon="redo"
        label="Redo (Ctrl+Shift+Z)"
        disabled={step.isPending || !study.can_redo}
        onClick={() => step.mutate('redo')}
      />
      <span className="small" role="status">
        {step.isError ? messageOf(step.error) : ''}
      </span>
    </span>
  );
}
