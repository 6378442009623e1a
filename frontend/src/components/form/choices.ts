import { createContext } from 'react';
import type { Json } from '../../lib/pointer';
import type { ChoiceEntry } from '../../lib/types';

interface Choices {
  /** Inputs that may turn out otherwise, with designs by letter. */
  all: readonly ChoiceEntry[];
  /** Whether an input says what may happen, not what an answer is. */
  takes: (pointer: string) => boolean;
  /** What an input is called. */
  label: (pointer: string) => string;
  set: (pointer: string, others: ChoiceEntry['others'] | null) => void;
}

/** What a study leaves open besides its ranges; null where nothing can be left open. */
export const ChoicesContext = createContext<Choices | null>(null);

/** The choices of a study with other alternatives of one input, or without any. */
export function withChoice(
  all: readonly ChoiceEntry[],
  pointer: string,
  others: ChoiceEntry['others'] | null,
): Json {
  const before = all.find((entry) => entry.pointer === pointer);
  const rest = all.filter((entry) => entry.pointer !== pointer);
  return (others ? [...rest, { ...before, pointer, others }] : rest) as unknown as Json;
}
