/** Copies a text; false where the browser refuses, or has no clipboard (plain http). */
export async function copyText(text: string): Promise<boolean> {
  // Missing outside secure contexts, whatever the types say.
  const clipboard = (navigator as Partial<Navigator>).clipboard;
  if (!clipboard) return false;
  try {
    await clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
