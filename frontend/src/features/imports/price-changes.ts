import { counted, date } from '../../lib/format';
import type { PriceChanges } from './api/imports';

const are = (count: number) => `${counted(count, 'price')} ${count === 1 ? 'is' : 'are'}`;

/** What is between two price lists, in a sentence. */
export function changesSentence(changes: PriceChanges): string {
  const { new_count, gone_count, changed_count, same_count, after } = changes;
  const were = same_count === 1 ? 'it was' : 'they were';
  return (
    `${counted(changed_count, 'price')} changed, ${are(new_count)} new, ${are(gone_count)} gone, ` +
    `${are(same_count)} as ${were} in the list of ${date(after.as_of)}.`
  );
}
