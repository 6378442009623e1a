import { toldOf } from '../../components/told/told';
import { isObject, type Json, type JsonObject } from '../../lib/pointer';
import { resolve, words, type JsonSchema } from '../../lib/schema';
import type { Fact, FactGroup, ResultParts, Scalar } from './result-parts';
import {
  distinct,
  entriesOf,
  factOf,
  isGrid,
  isInner,
  isObjects,
  isScalar,
  itemOf,
  propertyOf,
  shownText,
  unitOf,
  type Place,
} from './result-schema';
import { gridOf, innerTables, seriesTables, tableOf } from './result-tables';

const SENTENCES = new Set(['headline', 'sentence']);

/** Takes a result apart by its schema: what is to be read, listed, drawn beside what it tells. */
export function partsOf(result: JsonObject, schema: JsonSchema): ResultParts {
  const parts: ResultParts = { sentences: [], warnings: [], groups: [], tables: [], grids: [] };
  const { tables: _told, figures: _drawn, ...others } = result;
  const rest = toldOf(result).tables ? others : result;
  collect(rest, { schema: resolve(schema, schema).schema, root: schema, path: [] }, parts);
  return parts;
}

function collect(value: JsonObject, place: Place, parts: ResultParts): void {
  const group: FactGroup = { title: place.path.join(': '), facts: [] };
  parts.groups.push(group);
  for (const [key, item] of entriesOf(place, value)) {
    const schema = propertyOf(place, value, key);
    const label = schema.title ?? words(key);
    const below = { ...place, schema, path: [...place.path, label] };
    if (isScalar(item)) collectScalar(key, item, { schema, holder: value, group, parts });
    else if (isObject(item)) collect(item, below, parts);
    else if (isGrid(item)) parts.grids.push(gridOf(key, item, value, place));
    else if (isObjects(item)) {
      const entry = { ...below, schema: itemOf(schema, place.root) };
      const rows = item.map((object) => ({ by: null, value: object }));
      parts.tables.push(tableOf(key, below.path.join(': '), rows, entry));
      parts.tables.push(...innerTables(key, item, entry));
      for (const { warnings } of item) if (Array.isArray(warnings)) warn(warnings, parts);
    } else if (Array.isArray(item)) {
      const fact = { ...factOf(key, null, schema, {}), unit: unitOf(schema, place.root) };
      collectWords(key, item, fact, group, parts);
    }
  }
  parts.tables.push(...seriesTables(value, place));
  group.facts = distinct(group.facts);
  if (group.facts.length === 0) parts.groups.splice(parts.groups.indexOf(group), 1);
}

interface ScalarOf {
  schema: JsonSchema;
  holder: JsonObject;
  group: FactGroup;
  parts: ResultParts;
}

function collectScalar(key: string, value: Scalar, of: ScalarOf): void {
  if (isInner(value) || /(^|_)reason$/.test(key)) return;
  if (SENTENCES.has(key) && typeof value === 'string') of.parts.sentences.push(value);
  else of.group.facts.push(factOf(key, value, of.schema, of.holder));
}

function warn(list: readonly Json[], parts: ResultParts): void {
  const texts = list.filter((item): item is string => typeof item === 'string');
  parts.warnings.push(...texts.map((text) => String(shownText(text, {}))));
}

/** A list of words is read as one line, a single number as a figure, warnings apart. */
function collectWords(
  key: string,
  list: readonly Json[],
  fact: Fact,
  group: FactGroup,
  parts: ResultParts,
): void {
  const [only] = list;
  if (list.length === 1 && typeof only === 'number') group.facts.push({ ...fact, value: only });
  const texts = list.filter((item): item is string => typeof item === 'string');
  if (key === 'warnings') warn(texts, parts);
  else if (texts.length > 0) group.facts.push({ ...fact, value: texts.join(', ') });
}
