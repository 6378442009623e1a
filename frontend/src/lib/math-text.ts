const SIGNS: [RegExp, string][] = [
  [/ \* /g, ' × '],
  [/ - /g, ' − '],
  [/<=/g, '≤'],
  [/>=/g, '≥'],
  [/\bCO2e?\b/g, 'CO₂e'],
];

/** An equation written in plain characters, with the signs that a reader expects. */
export function mathText(text: string): string {
  return SIGNS.reduce((written, [sign, shown]) => written.replaceAll(sign, shown), text);
}
