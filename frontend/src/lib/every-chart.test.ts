import ts from 'typescript';
import type { Figure, Trace } from './figure';
import { legendOf } from './legend';

/** All of our own code, as it is written: no chart is left out by being new. */
const SOURCES = Object.entries(
  import.meta.glob<string>(
    ['/src/**/*.ts', '/src/**/*.tsx', '!/src/**/*.test.*', '!/src/**/*.d.ts'],
    {
      eager: true,
      query: '?raw',
      import: 'default',
    },
  ),
);
const parsed = (name: string, text: string) =>
  ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);

const isFigure = (type: ts.TypeNode | undefined) =>
  type !== undefined && /(^|[^\w])(Figure|Drawn)( \| null)?$/.test(type.getText());

/** Modules with a function that gives a figure. */
const BUILDERS = SOURCES.filter(([, text]) => /\bFigure\b/.test(text))
  .map(([name, text]) => parsed(name, text))
  .filter((file) =>
    file.statements.some((one) => ts.isFunctionDeclaration(one) && isFigure(one.type)),
  );

function objectsIn(node: ts.Node): ts.ObjectLiteralExpression[] {
  const inside: ts.ObjectLiteralExpression[] = [];
  const visit = (one: ts.Node) => {
    if (ts.isObjectLiteralExpression(one)) inside.push(one);
    one.forEachChild(visit);
  };
  visit(node);
  return inside;
}

const keysOf = (object: ts.ObjectLiteralExpression) =>
  object.properties.map((one) => (one.name ? one.name.getText() : '...'));

function valueOf(object: ts.ObjectLiteralExpression, key: string): string {
  const found = object.properties.find((one) => one.name?.getText() === key);
  return found && ts.isPropertyAssignment(found) ? found.initializer.getText() : '';
}

const where = (file: ts.SourceFile, node: ts.Node) =>
  `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;

test('every chart is found', () => {
  expect(BUILDERS.length).toBeGreaterThan(7);
});

test('every chart is drawn by the one component, which alone zooms and has the crosshair', () => {
  const own =
    /\b(dragmode|fixedrange|hovermode|hoversubplots|showspikes|spikemode|staticPlot)\b\s*:/;
  const setters = SOURCES.filter(([, text]) => own.test(text)).map(([name]) => name);
  expect(setters).toEqual(['/src/lib/chart-template.ts']);
  const drawers = SOURCES.filter(([, text]) =>
    /import\(?\s*'plotly\.js|from 'plotly\.js(?!')/.test(text),
  );
  expect(drawers.map(([name]) => name)).toEqual(['/src/components/plotly-figure.tsx']);
});

test('every bar and its segments say what they are', () => {
  const silent = BUILDERS.flatMap((file) =>
    objectsIn(file)
      .filter((object) => /^'bar'/.test(valueOf(object, 'type')))
      .filter((object) => !keysOf(object).some((key) => /^hover(text|template)$/.test(key)))
      .map((object) => where(file, object)),
  );
  expect(silent).toEqual([]);
});

test('every chart of several series lists them in a legend, or writes their names beside them', () => {
  const nameless = BUILDERS.filter((file) => {
    const objects = objectsIn(file);
    const many = /\.\.\.[\w.]+\.?(flatMap|map)\(|data:\s*[\w.]+\.(flatMap|map)\(/.test(file.text);
    const told = objects.some(
      (object) =>
        keysOf(object).some((key) => /^(showlegend|legend|textposition|annotations)$/.test(key)) ||
        /text/.test(valueOf(object, 'mode')),
    );
    // Cells of one measure have its scale beside them.
    const isScale = objects.some((object) => /heatmap/.test(valueOf(object, 'type')));
    return many && !told && !isScale;
  });
  expect(nameless.map(({ fileName }) => fileName)).toEqual([]);
});

test('a legend that a chart asks for takes out each of its series', () => {
  const line = (name: string): Trace => ({ type: 'scatter', name, x: [1], y: [1] });
  const figure: Figure = {
    title: '',
    summary: '',
    data: [line('a'), line('b')],
    layout: { showlegend: true },
    table: { columns: [], rows: [] },
  };
  const legend = legendOf(figure);
  for (const { id } of legend?.entries ?? []) {
    const left = legend?.without(new Set([id])).filter(({ visible }) => visible !== false);
    expect(left?.map(({ name }) => name)).toEqual(id === 'a' ? ['b'] : ['a']);
  }
  expect(legend?.entries).toHaveLength(2);
});
