import { labelOf } from '../../lib/labels';
import { isObject, read } from '../../lib/pointer';
import type { Fault } from '../../lib/problem';
import { schemaAt, words, type JsonSchema } from '../../lib/schema';
import type { StudyDocument } from '../../lib/types';

/** One fault: what the field is called, and the pointer that opens it. */
export interface NamedFault {
  at: string;
  label: string;
  code: string;
  message: string;
}

/** The faults of one design, or of another part of the study. */
export interface FaultGroup {
  prefix: string;
  letter: string | null;
  title: string;
  faults: NamedFault[];
}

/** `/designs/D/staff_fte` as the document that it is in and the place there. */
function split(pointer: string): { prefix: string; rest: string } {
  const parts = pointer.split('/').slice(1);
  const own = parts[0] === 'designs' && parts.length > 1 ? 2 : 1;
  const path = (some: string[]) => some.map((part) => `/${part}`).join('');
  return { prefix: path(parts.slice(0, own)), rest: path(parts.slice(own)) };
}

/** A range is entered beside its input, so that is where its fault leads. */
function placeOf(document: StudyDocument, pointer: string): { at: string; isRange: boolean } {
  const range = /^\/ranges\/\d+/.exec(pointer)?.[0];
  const of = range ? read(document, `${range}/pointer`) : null;
  return typeof of === 'string' && of.startsWith('/')
    ? { at: of, isRange: true }
    : { at: pointer, isRange: false };
}

function named(fault: Fault, plan: JsonSchema, document: StudyDocument): NamedFault {
  const { at, isRange } = placeOf(document, fault.pointer);
  const { prefix, rest } = split(at);
  const held = read(document, prefix);
  const label = labelOf(schemaAt(plan, plan, document, prefix) ?? {}, plan, held, rest);
  const parts = [label, ...(isRange ? ['Range'] : [])].filter(Boolean);
  return { ...fault, at, label: parts.join(' · ') || 'All of it' };
}

function groupAt(document: StudyDocument, prefix: string): FaultGroup {
  const held = read(document, prefix);
  const isDesign = prefix.startsWith('/designs/') && isObject(held);
  const letter = isDesign ? String(held.letter) : null;
  const title = isDesign ? String(held.title ?? '') : words(prefix.slice(1)) || 'The study';
  return { prefix, letter, title, faults: [] };
}

/** The faults of a study by design and part, in the order in which the server names them. */
export function faultGroups(
  faults: readonly Fault[],
  plan: JsonSchema,
  document: StudyDocument,
): FaultGroup[] {
  const groups = new Map<string, FaultGroup>();
  for (const fault of faults) {
    const entry = named(fault, plan, document);
    const { prefix } = split(entry.at);
    const group = groups.get(prefix) ?? groupAt(document, prefix);
    group.faults.push(entry);
    groups.set(prefix, group);
  }
  return [...groups.values()];
}
