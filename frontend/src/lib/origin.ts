import type { JsonSchema } from './schema';
import { schemaAt } from './schema';
import type { Origin, Provenance, Study, StudyDocument } from './types';

function split(pointer: string): { part: string; letter: string | null; rest: string } {
  const [, part = '', second = '', ...more] = pointer.split('/');
  if (part !== 'designs') {
    return { part, letter: null, rest: [second, ...more].map((key) => `/${key}`).join('') };
  }
  return { part, letter: second, rest: more.map((key) => `/${key}`).join('') };
}

export function provenanceFor(study: Study, pointer: string): { map: Provenance; at: string } {
  const { part, letter, rest } = split(pointer);
  if (part === 'workload') return { map: study.workload_provenance, at: rest };
  if (part === 'baseline') return { map: study.baseline_provenance, at: rest };
  if (part === 'assumptions') return { map: study.assumptions_provenance, at: rest };
  const design = study.designs.find((entry) => entry.letter === letter);
  return { map: design?.provenance ?? {}, at: rest };
}

/** What is written down about a place, or about the nearest group that holds it. */
export function originIn(map: Provenance, pointer: string): Origin | undefined {
  for (let here = pointer; here !== ''; here = here.slice(0, here.lastIndexOf('/'))) {
    const origin = map[here];
    if (origin) return origin;
  }
  return undefined;
}

/** Where an input of a study comes from: its provenance, else the source of its default. */
export function originOf(
  study: Study,
  document: StudyDocument,
  planSchema: JsonSchema | undefined,
  pointer: string,
): Origin | undefined {
  const { map, at } = provenanceFor(study, pointer);
  const written = originIn(map, at);
  if (written || !planSchema) return written;
  const source = schemaAt(planSchema, planSchema, document, pointer)?.default_source;
  return source && { quality: source.quality ?? 'published', ...source };
}
