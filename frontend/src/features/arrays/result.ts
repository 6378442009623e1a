import type { Science } from '../../lib/science';

export type ArrayResult = Science['storage.array.Result'];
export type DeviceUse = Science['storage.array.DeviceUse'];
export type Outlook = Science['storage.array_outlook.Result'];
export type DriveTracks = Science['storage.array_outlook.DriveTracks'];

/** An array with the answer of its run. */
export interface Answered {
  letter: string;
  title: string;
  result: ArrayResult;
}

interface Named {
  entries: readonly { letter: string; title: string }[];
}

/** The arrays that have an answer, in the order of the page. */
export function answeredOf(
  state: Named,
  rows: readonly { letter: string; result: ArrayResult | undefined }[],
): Answered[] {
  return state.entries.flatMap(({ letter, title }) => {
    const result = rows.find((row) => row.letter === letter)?.result;
    return result ? [{ letter, title, result }] : [];
  });
}
