import type { Design } from '../../lib/types';
import { rackedDesign } from './racks';

test('a hybrid racks the nodes of the owned design that it names', () => {
  const owned = { letter: 'A', kind: 'owned_cluster', spec: {} } as unknown as Design;
  const cloud = { letter: 'B', kind: 'cloud', spec: {} } as unknown as Design;
  const joined = (letter: string) =>
    ({ letter: 'C', kind: 'hybrid', spec: { owned_letter: letter } }) as unknown as Design;
  expect(rackedDesign(joined('A'), [owned, cloud])).toBe(owned);
  expect(rackedDesign(owned, [])).toBe(owned);
  expect(rackedDesign(joined('B'), [owned, cloud])).toBeNull();
  expect(rackedDesign(cloud, [owned])).toBeNull();
});
