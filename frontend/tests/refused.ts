/** The phrases that are not said: in backticks in the second column of the glossary's table. */
export function phrasesOf(glossary: string): string[] {
  const [, after = ''] = glossary.split('## We say, we do not say');
  const [table = ''] = after.split('\n## ');
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  return rows
    .slice(2)
    .flatMap((row) => [...(row.split(' | ')[1] ?? '').matchAll(/`([^`]+)`/g)])
    .map(([, phrase = '']) => phrase);
}

function pattern(phrase: string): string {
  const words = phrase
    .split(/\bN\b/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join(String.raw`(?:[\d,.%]+|\{\})`);
  return /^[A-Z][a-z]+$/.test(phrase) ? `^${words}$` : words;
}

/** What finds any of these phrases in a text: `N` is any number, one capitalised word a whole text. */
export const refusing = (phrases: readonly string[]) =>
  new RegExp(String.raw`(?<!\w)(?:${phrases.map(pattern).join('|')})(?!\w)`, 'i');
