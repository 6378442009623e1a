import ts from 'typescript';
import glossary from '../../../docs/glossary.md?raw';

const SOURCES = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*', '!../**/*.d.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The phrases that are not said: in backticks in the second column of the glossary's table. */
function phrases(): string[] {
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

const REFUSED = new RegExp(String.raw`(?<!\w)(?:${phrases().map(pattern).join('|')})(?!\w)`, 'i');

/** What a reader may see of a source: text of elements, and strings that are not names. */
function visible(name: string, source: string): string[] {
  const kind = name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, false, kind);
  const found: string[] = [];
  const keep = (text: string, element = false) => {
    const told = text.replaceAll(/\s+/g, ' ').trim();
    if (told !== '' && (element || told.includes(' ') || /^[A-Z]/.test(told))) found.push(told);
  };
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isJsxText(node)) keep(node.text, true);
    else if (ts.isStringLiteralLike(node)) keep(node.text);
    else if (ts.isTemplateExpression(node)) {
      keep(node.head.text + node.templateSpans.map((span) => `{}${span.literal.text}`).join(''));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const wrong = (name: string, source: string) =>
  visible(name, source).flatMap((text) => {
    const [said] = REFUSED.exec(text) ?? [];
    return said === undefined ? [] : [`${name}: '${said}' in '${text}'`];
  });

describe('what can be seen', () => {
  it('is told by the words of the glossary', () => {
    expect(phrases().length).toBeGreaterThan(60);
    expect(Object.keys(SOURCES).length).toBeGreaterThan(300);
    expect(Object.entries(SOURCES).flatMap(([name, source]) => wrong(name, source))).toEqual([]);
  });

  it('is found in text, attributes and templates, and not in names', () => {
    const source = "const key = 'binds'; <p title='What binds'>wins in {n} {`of ${n} draws`}</p>";
    expect(wrong('a.tsx', source)).toEqual([
      "a.tsx: 'binds' in 'What binds'",
      "a.tsx: 'wins in' in 'wins in'",
      "a.tsx: 'of {} draws' in 'of {} draws'",
    ]);
  });
});
