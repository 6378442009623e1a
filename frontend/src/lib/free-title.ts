/** A title that no other design has: with the first free number where it is taken. */
export function freeTitle(wanted: string, taken: readonly string[]): string {
  const known = new Set(taken.map((title) => title.trim().toLowerCase()));
  let title = wanted;
  for (let at = 2; known.has(title.toLowerCase()); at += 1) title = `${wanted} ${at}`;
  return title;
}
