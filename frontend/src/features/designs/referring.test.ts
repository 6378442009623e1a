import type { Design } from '../../lib/types';
import { referring, removalQuestion } from './referring';

const design = (letter: string, spec: object) =>
  ({ letter, title: `Site ${letter}`, spec }) as Design;
const designs = [
  design('A', {}),
  design('B', { migration: { parallel_letter: 'A', parallel_months: 3 }, note: 'A' }),
  design('C', { lists: [{ rented_letter: 'A' }] }),
  design('D', { shortfall_letter: 'B' }),
];

it('finds the designs that wait for another, or rent as it does', () => {
  expect(referring(designs, 'A')).toEqual(['B', 'C']);
  expect(referring(designs, 'B')).toEqual(['D']);
  expect(referring(designs, 'D')).toEqual([]);
});

it('asks with a word of them before a design is removed', () => {
  const [a, b, , d] = designs as [Design, Design, Design, Design];
  expect(removalQuestion(designs, a)).toContain('Designs B, C name it');
  expect(removalQuestion(designs, b)).toContain('Design D names it');
  expect(removalQuestion(designs, d)).toBe('Remove design D, Site D?');
});
