import type { CatalogueSnapshot } from './types';

/** The day that the prices of a snapshot are of; its name starts with it. */
export function snapshotDay(snapshot: string): string | undefined {
  return /^\d{4}-\d{2}-\d{2}/.exec(snapshot)?.[0];
}

/** The snapshot that came after the one that a study was made with. */
export function newerSnapshot(
  made: string,
  known: readonly CatalogueSnapshot[],
): CatalogueSnapshot | undefined {
  const [latest] = known;
  if (!latest || latest.id === made) return undefined;
  const isKnown = known.some((snapshot) => snapshot.id === made);
  return isKnown || latest.as_of > (snapshotDay(made) ?? '') ? latest : undefined;
}
