import { expect, it } from 'vitest';
import { freeTitle } from './free-title';

it('numbers a title that another design has', () => {
  expect(freeTitle('Disk array', ['Rented'])).toBe('Disk array');
  expect(freeTitle('Disk array', ['disk array '])).toBe('Disk array 2');
  expect(freeTitle('Disk array', ['Disk array', 'Disk array 2', 'Disk array 4'])).toBe(
    'Disk array 3',
  );
});
