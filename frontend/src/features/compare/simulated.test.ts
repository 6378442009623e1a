import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../lib/comparison';
import { simulated } from './simulated';

describe('simulated', () => {
  it('takes the designs whose storage says how it is simulated, with their values', () => {
    const params = { lost: 'node', work: { requests_per_s: 500 } };
    const comparison = {
      designs: [
        { letter: 'A', title: 'Cluster', array: { simulation: { model: 'm', params } } },
        { letter: 'B', title: 'Shelves', array: { simulation: null } },
        { letter: 'C', title: 'Cloud', array: null },
      ],
    } as unknown as Comparison;
    expect(simulated(comparison)).toEqual([{ letter: 'A', title: 'Cluster', model: 'm', params }]);
  });
});
