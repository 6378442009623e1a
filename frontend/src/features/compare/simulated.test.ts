import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../lib/comparison';
import { simulated } from './simulated';

const params = { lost: 'node', work: { requests_per_s: 500 } };
const whole = { title: 'All drives in place', tool: 'arrays', model: 's', params };
const node = { title: 'Rebuild of a node', tool: 'rebuilds', model: 'm', params };

describe('simulated', () => {
  it('takes the designs whose storage says how it is simulated, with their values', () => {
    const comparison = {
      designs: [
        { letter: 'A', title: 'Cluster', array: { simulations: [node] } },
        { letter: 'B', title: 'Cached', array: { simulations: [] } },
        { letter: 'C', title: 'Cloud', array: null },
      ],
    } as unknown as Comparison;
    const of = { letter: 'A', title: 'Rebuild of a node, Cluster', of: 'A, rebuild of a node' };
    expect(simulated(comparison)).toEqual([{ ...of, tool: 'rebuilds', model: 'm', params }]);
  });

  it('takes each tier by itself, and not what they are together', () => {
    const tiers = [
      { name: 'Hot', array: { simulations: [whole] } },
      { name: 'Cold', array: { simulations: [whole, node] } },
    ];
    const comparison = {
      designs: [{ letter: 'A', title: 'Store', array: { simulations: [] }, tiers }],
    } as unknown as Comparison;
    expect(simulated(comparison).map(({ of }) => of)).toEqual([
      'A, Hot, all drives in place',
      'A, Cold, all drives in place',
      'A, Cold, rebuild of a node',
    ]);
  });
});
