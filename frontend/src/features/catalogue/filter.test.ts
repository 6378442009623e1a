import { expect, it } from 'vitest';
import { csvOf } from './filter';

it('asks for the table of what the list is narrowed to, whatever its order', () => {
  expect(csvOf('drive', '', { sort: '-year' })).toBe('/api/v1/catalogue/csv?kind=drive');
  const narrowed = csvOf('drive', '20 TB', { own: true, provider: '', cores_count_least: 0 });
  expect(narrowed).toBe('/api/v1/catalogue/csv?kind=drive&q=20+TB&own=true&cores_count_least=0');
});
