import table from '../../../fixtures/typed_numbers.json';
import {
  asTyped,
  numberMark,
  numberText,
  parseNumber,
  surelyRead,
  type Mark,
} from './typed-number';

const MARKS: readonly Mark[] = ['.', ','];

test.each(table.cases)('$text', ({ text, point, comma }) => {
  expect([parseNumber(text, '.'), parseNumber(text, ',')]).toEqual([point, comma]);
});

/** Numbers of one seed, between a thousandth and a milliard, with up to four decimals. */
function* numbers(count: number): Generator<number> {
  let state = 20_261_128;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (let at = 0; at < count; at += 1) {
    yield Number((10 ** (12 * next() - 3)).toFixed(Math.floor(5 * next())));
  }
}

const COUNTRIES: Record<string, Mark> = {
  'en-GB': '.',
  'de-DE': ',',
  'fr-FR': ',',
  'de-CH': '.',
  'en-IN': '.',
};

test('numbers of five countries come back under their own mark', () => {
  for (const value of numbers(300)) {
    for (const [country, mark] of Object.entries(COUNTRIES)) {
      const text = value.toLocaleString(country, { maximumFractionDigits: 4 });
      expect([text, parseNumber(text, mark)]).toEqual([text, value]);
    }
  }
});

test('what a field shows is read back, in groups or without; what is echoed by any reader', () => {
  for (const value of [...numbers(300), 1638, 1.638, 0, 1e-9, -1234, 12e14]) {
    for (const mark of MARKS) {
      for (const isGrouped of [true, false]) {
        expect(parseNumber(numberText(value, mark, isGrouped), mark)).toBe(value);
      }
      const sure = surelyRead(value, mark);
      expect(MARKS.map((one) => parseNumber(sure, one))).toEqual([value, value]);
    }
  }
});

test.each([
  ['Enter at most 1,234.5 TB.', 'Enter at most 1\u202f234,5 TB.'],
  ['Enter less than 0.9.', 'Enter less than 0,9.'],
  ['10.0–32.5%/yr', '10,0–32,5%/yr'],
  ['“1.250” may be 1.25 or 1,250.0', '“1.250” may be 1,25 or 1\u202f250,0'],
  [
    "'1.5 x' is not a number. Enter one, such as 1234.5.",
    "'1.5 x' is not a number. Enter one, such as 1234,5.",
  ],
  ['version 1.16.0 of 10.0.0.1, 2027-06-30, c5.large', null],
])('%s is written as numbers are typed', (text, comma) => {
  expect(asTyped(text, ',')).toBe(comma ?? text);
  expect(asTyped(text, '.')).toBe(text);
});

test.each([
  ['de-AT', ','],
  ['en-US', '.'],
  ['en-US@posix', '.'],
  ['', '.'],
])('a browser of language %s decides for %s', (language, mark) => {
  vi.stubGlobal('navigator', { language });
  expect(numberMark()).toBe(mark);
});
