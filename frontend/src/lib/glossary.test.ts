import ts from 'typescript';
import glossary from '../../../docs/glossary.md?raw';
import { phrasesOf, refusing } from '../../tests/refused';

const SOURCES = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*', '!../**/*.d.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

const PHRASES = phrasesOf(glossary);
const REFUSED = refusing(PHRASES);

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
    expect(PHRASES.length).toBeGreaterThan(60);
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
