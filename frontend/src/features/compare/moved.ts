import { write } from '../../lib/pointer';
import type { StudyDocument } from '../../lib/types';
import type { Moves } from './search';

// Enough for a mean within about a percent, and a third of the time of all 10,000.
const WHILE_HELD = 1000;

/**
 * The document with some inputs moved; while a slider is held with fewer simulations, so that
 * what it shows is the same measure as when it is let go.
 */
export function moved(document: StudyDocument, moves: Moves, held: boolean): StudyDocument {
  const changed = Object.entries(moves).reduce(
    (here, [pointer, value]) => write(here, pointer, value) as StudyDocument,
    document,
  );
  const draws_count = Math.min(Number(document.draws_count ?? 0), WHILE_HELD);
  return held ? { ...changed, draws_count } : changed;
}
