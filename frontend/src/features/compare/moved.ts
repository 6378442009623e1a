import { write, type Json, type JsonObject } from '../../lib/pointer';
import type { StudyDocument } from '../../lib/types';

// Enough for a mean within about a percent, and a third of the time of all 10,000.
const WHILE_HELD = 1000;

/** What moved inputs change in a study, by pointer, as the plan answers it. */
export type Changes = Readonly<Record<string, Json>>;

/** The document with what was changed in it. */
export const changed = (document: StudyDocument, changes: Changes): StudyDocument =>
  Object.entries(changes).reduce<JsonObject>(
    (here, [pointer, value]) => write(here, pointer, value) as JsonObject,
    document as unknown as JsonObject,
  ) as unknown as StudyDocument;

/**
 * The document to ask about; while a slider is held with fewer simulations, so that what it shows
 * is the same measure as when it is let go.
 */
export function asked(document: StudyDocument, held: boolean): StudyDocument {
  const draws_count = Math.min(Number(document.draws_count ?? 0), WHILE_HELD);
  return held ? { ...document, draws_count } : document;
}
