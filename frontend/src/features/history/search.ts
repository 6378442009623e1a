/** Which two runs stand side by side, and of which other study the left one is. */
export interface Chosen {
  left?: string;
  right?: string;
  other?: string;
}

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Reads an address; what is no id is left out. */
export function besideSearch(search: Record<string, unknown>): Chosen {
  const kept = Object.entries(search).filter(
    ([name, value]) =>
      ['left', 'right', 'other'].includes(name) && typeof value === 'string' && ID.test(value),
  );
  return Object.fromEntries(kept);
}
