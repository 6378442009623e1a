import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api';
import { write, type Json, type JsonObject } from '../../../lib/pointer';
import { studyKey } from '../../../lib/studies';
import type { Study } from '../../../lib/types';

interface Part {
  key: string;
  moves: [pointer: string, value: Json][];
}

/** What to write where: a number that was moved, or what a fix of the check says. */
type Changes = Readonly<Record<string, Json>>;
type Asked = () => Promise<Changes>;

function byPart(moves: Changes): Part[] {
  const parts = new Map<string, Part>();
  for (const [pointer, value] of Object.entries(moves)) {
    const [, head = '', letter = ''] = pointer.split('/');
    const key = head === 'designs' ? `/designs/${letter}` : `/${head}`;
    const part = parts.get(key) ?? { key, moves: [] };
    part.moves.push([pointer.slice(key.length), value]);
    parts.set(key, part);
  }
  return [...parts.values()];
}

function applied(document: JsonObject, part: Part): JsonObject {
  return part.moves.reduce(
    (here, [pointer, value]) => write(here, pointer, value) as JsonObject,
    document,
  );
}

function etag(revision: number): { 'If-Match': string } {
  return { 'If-Match': `"${revision}"` };
}

async function saveDesign(study: Study, part: Part): Promise<void> {
  const design = study.designs.find((entry) => part.key === `/designs/${entry.letter}`);
  if (!design) return;
  await api.PUT('/api/v1/designs/{design_id}', {
    params: { path: { design_id: design.id }, header: etag(design.revision) },
    body: { spec: applied(design.spec, part) },
  });
}

async function saveStudy(study: Study, parts: Part[]): Promise<void> {
  if (parts.length === 0) return;
  const changes = parts.map((part) => {
    const name = part.key.slice(1) as 'workload' | 'assumptions';
    return [name, applied(study[name], part)];
  });
  await api.PUT('/api/v1/studies/{study_id}', {
    params: { path: { study_id: study.id }, header: etag(study.revision) },
    body: Object.fromEntries(changes) as Record<string, unknown>,
  });
}

/** Writes the moved inputs into the study, each where it belongs. */
export function useSaveMoves() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ study, moves }: { study: Study; moves: Changes | Asked }) => {
      const parts = byPart(typeof moves === 'function' ? await moves() : moves);
      for (const part of parts.filter((entry) => entry.key.startsWith('/designs/'))) {
        await saveDesign(study, part);
      }
      await saveStudy(
        study,
        parts.filter((entry) => !entry.key.startsWith('/designs/')),
      );
    },
    onSettled: (_answer, _error, { study }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: studyKey(study.id) }),
        client.invalidateQueries({ queryKey: ['studies'] }),
      ]),
  });
}
