/** What a browser keeps under a key; nothing where that is nothing, or cannot be read. */
export function kept<T>(shelf: Storage, key: string): T | null {
  try {
    return JSON.parse(shelf.getItem(key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

/** Keeps a value under a key, or nothing; a full shelf loses nothing that is on screen. */
export function keep(shelf: Storage, key: string, value: unknown): void {
  try {
    if (value === undefined || value === null) shelf.removeItem(key);
    else shelf.setItem(key, JSON.stringify(value));
  } catch {
    // It is kept until the page is left.
  }
}
