import { USD } from '../../lib/format';
import type { JsonSchema } from '../../lib/schema';
import { summaryOf } from './summary';

const SHARE: JsonSchema = { type: 'number', unit: 'fraction/yr', default: 0 };
const GROWTH: JsonSchema = { type: 'object', properties: { a: SHARE, b: SHARE, c: SHARE } };

test.each([
  [undefined, 'defaults'],
  [{}, 'defaults'],
  [{ a: 0, b: 0 }, '0%/yr'],
  [{ a: 0, b: 0.225 }, '22.5%/yr'],
  [{ a: 0.1, b: 0.2, c: 0 }, '10%/yr · 20%/yr'],
])('a folded group of %j says %s', (value, text) => {
  expect(summaryOf(value, GROWTH, GROWTH, USD)).toBe(text);
});
