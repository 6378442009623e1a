import type { JsonObject } from '../../lib/pointer';
import { words } from '../../lib/schema';
import type { Cell, Column, Grid, Rows, Scalar } from './result-parts';
import {
  columnOf,
  distinct,
  entriesOf,
  isGrid,
  isNumbers,
  isObjects,
  itemOf,
  propertyOf,
  scalarsOf,
  shownText,
  type Place,
} from './result-schema';

const NAMES = ['name', 'title', 'mode', 'strategy', 'policy', 'technique', 'kind', 'label', 'id'];

/** What an entry of a list is called, where it says so. */
function nameOf(item: JsonObject, at: number, place: Place): string {
  const key =
    NAMES.find((name) => typeof item[name] === 'string') ??
    Object.keys(item).find((name) => typeof item[name] === 'string');
  const text = key === undefined ? undefined : item[key];
  if (key === undefined || typeof text !== 'string') return `No. ${at + 1}`;
  return String(shownText(text, propertyOf(place, item, key)));
}

/** A table of objects; a column in which no row says anything is left out. */
export function tableOf(
  key: string,
  title: string,
  items: readonly { by: string | null; value: JsonObject }[],
  place: Place,
): Rows {
  const grouped = items.some((item) => item.by !== null);
  const columns = new Map<string, Column>();
  const lines = items.map(({ by, value }) => {
    const cells = new Map<string, Scalar>();
    if (by !== null) cells.set('', by);
    for (const entry of scalarsOf(value, place)) {
      columns.set(entry.column.key, entry.column);
      cells.set(entry.column.key, entry.value);
    }
    return cells;
  });
  const all = [...(grouped ? [{ key: '', label: 'Of', unit: '' }] : []), ...columns.values()];
  const said = all.filter((column) => lines.some((cells) => cells.get(column.key) != null));
  return {
    key,
    title,
    columns: distinct(said),
    rows: lines.map((cells) => said.map((column) => cells.get(column.key) ?? null)),
    by: grouped ? 0 : null,
  };
}

/** Lists within the entries of a list, one below the other, each with the name of its entry. */
export function innerTables(key: string, items: readonly JsonObject[], place: Place): Rows[] {
  const [first] = items;
  if (!first) return [];
  const names = items.map((item, at) => nameOf(item, at, place));
  return entriesOf(place, first).flatMap(([inner]) => {
    const schema = propertyOf(place, first, inner);
    const title = [...place.path, schema.title ?? words(inner)].join(': ');
    const lists = items.map((item) => item[inner] ?? null);
    if (lists.some(isObjects)) {
      const rows = lists.flatMap((list, at) =>
        (isObjects(list) ? list : []).map((value) => ({ by: names[at] ?? '', value })),
      );
      const item = { ...place, schema: itemOf(schema, place.root) };
      return [tableOf(`${key}.${inner}`, title, rows, item)];
    }
    if (!lists.some(isNumbers)) return [];
    const column = columnOf(inner, schema, place.root);
    return [
      {
        key: `${key}.${inner}`,
        title,
        columns: [{ key: '', label: 'Of', unit: '' }, { key: '#', label: 'No.', unit: '' }, column],
        rows: lists.flatMap((list, at) =>
          (isNumbers(list) ? list : []).map((value, no): Cell[] => [
            names[at] ?? '',
            no + 1,
            value,
          ]),
        ),
        by: 0,
      },
    ];
  });
}

/** Lists of numbers of one length stand side by side; those along a grid are its axes. */
export function seriesTables(value: JsonObject, place: Place): Rows[] {
  const axes = new Set(
    Object.values(value).flatMap((item) =>
      isGrid(item) ? [item.length, item[0]?.length ?? 0] : [],
    ),
  );
  const lists = entriesOf(place, value).filter(
    ([, item]) => isNumbers(item) && item.length > 1 && !axes.has(item.length),
  );
  const lengths = new Map<number, [string, (number | null)[]][]>();
  for (const [key, item] of lists) {
    const list = item as (number | null)[];
    lengths.set(list.length, [...(lengths.get(list.length) ?? []), [key, list]]);
  }
  return [...lengths].flatMap(([length, members]) => {
    const [head] = members;
    if (!head) return [];
    const columns = members.map(([key]) =>
      columnOf(key, propertyOf(place, value, key), place.root),
    );
    const numbered = members.length === 1 && { key: '#', label: 'No.', unit: '' };
    const rows = Array.from({ length }, (_, at): Cell[] => [
      ...(numbered ? [at + 1] : []),
      ...members.map(([, list]) => list[at] ?? null),
    ]);
    const title = [...place.path, ...(numbered ? [columns[0]?.label ?? ''] : [])];
    return [
      {
        key: [...place.path, head[0]].join('.'),
        title: title.join(': ') || 'Series',
        columns: numbered ? [numbered, ...columns] : columns,
        rows,
        by: null,
      },
    ];
  });
}

/** The list of numbers beside a grid that its rows or columns run over. */
function axisFor(length: number, value: JsonObject, place: Place, skip?: string) {
  const fits = entriesOf(place, value).filter(
    ([, item]) => isNumbers(item) && item.length === length,
  );
  const [key, found] = fits.find(([name]) => name !== skip) ?? fits[0] ?? [];
  if (key === undefined || !Array.isArray(found)) {
    const values = Array.from({ length }, (_, at) => at + 1);
    return { key: '', label: 'No.', unit: '', values };
  }
  return { ...columnOf(key, propertyOf(place, value, key), place.root), values: found as number[] };
}

export function gridOf(
  key: string,
  values: (number | null)[][],
  value: JsonObject,
  place: Place,
): Grid {
  const column = columnOf(key, propertyOf(place, value, key), place.root);
  const y = axisFor(values.length, value, place);
  const x = axisFor(values[0]?.length ?? 0, value, place, y.key);
  const title = [...place.path, column.label].join(': ');
  return { key, title, unit: column.unit, description: column.description, x, y, values };
}
