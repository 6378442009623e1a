// @vitest-environment jsdom
import { changes, fitsAddress, formerTool, toolSearch } from './search';

describe('the address', () => {
  test('keeps only what differs from the defaults', () => {
    expect(changes({ a: 1, b: [1, 2] }, { a: 1, b: [1] })).toEqual({ b: [1, 2] });
    expect(changes({ a: 1 }, { a: 1 })).toBeUndefined();
    expect(fitsAddress({ text: 'x'.repeat(2000) })).toBe(false);
  });

  test('says the study and what was changed, and no more', () => {
    expect(toolSearch({ study: 'a', s: { policy: 'exact' }, x: 1 })).toEqual({
      study: 'a',
      s: { policy: 'exact' },
    });
    expect(toolSearch({ study: 3, s: 3 })).toEqual({ study: undefined, s: undefined });
  });

  test('of the page that tools had in a study leads to the tool of today', () => {
    expect(formerTool('board')).toBe('consolidation');
    expect(formerTool('memory')).toBe('memory');
    expect(formerTool(undefined)).toBe('nodes');
    expect(formerTool('arrays')).toBe('nodes');
    expect(formerTool('risk')).toBeNull();
  });
});
