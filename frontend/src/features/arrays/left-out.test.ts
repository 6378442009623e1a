import { leftOut } from './left-out';
import { noPlan, planArray } from './plan-spec';
import { ADDRESSES, CACHE, COPIES, FIRST_STATE, PRESETS } from './presets';
import type { ArrayDesign } from './types';

function sleeping(): ArrayDesign {
  const found = PRESETS.find(({ array }) => array.layout.kind === 'mirrored_set');
  if (!found) throw new Error('There is a mirrored set among the presets.');
  const { array } = found;
  return { ...array, dispatch: { ...array.dispatch, lazy_writes: true }, cache: CACHE };
}

describe('what a study does not carry over', () => {
  it('is said of lost disks and copies, which a design may still be made of', () => {
    const array = sleeping();
    const lost = { ...array, layout: { ...array.layout, failed_disk_count: 1 }, copies: COPIES };
    expect(noPlan(lost)).toBeNull();
    const texts = leftOut(lost, FIRST_STATE).join('\n');
    expect(texts).toContain('every disk at work');
    expect(texts).toContain('where it lies');
  });

  it('is said of everything that the design lacks', () => {
    const array = sleeping();
    const texts = leftOut(array, FIRST_STATE).join('\n');
    // As the plan has it.
    expect(planArray(array, FIRST_STATE, { outlook: null })).toMatchObject({
      layout: 'raid1',
      power_policy: { kind: 'threshold' },
      cache: { write_back: true },
    });
    for (const part of [
      'RAID-1',
      'Who serves a read',
      'Low-power idle',
      'wait for the next waking',
    ]) {
      expect(texts).toContain(part);
    }
    expect(texts.includes('mirrored write buffer')).toBe(CACHE.mode === 'hp08_mirror');
  });

  it('names the workload where the plan has another', () => {
    const [first] = FIRST_STATE.entries;
    if (!first) throw new Error('The page begins with an array.');
    const plain = { ...first.array, layout: { ...first.array.layout, kind: 'raid0' as const } };
    expect(leftOut(plain, FIRST_STATE)).toEqual([]);
    const workload = { ...FIRST_STATE.workload, addresses: ADDRESSES.zipf };
    expect(leftOut(plain, { ...FIRST_STATE, workload })).toHaveLength(1);
    const concatenated = { ...plain, layout: { ...plain.layout, kind: 'concatenated' as const } };
    expect(leftOut(concatenated, FIRST_STATE)).toEqual([
      'Disks one after another are planned as RAID-0.',
    ]);
  });
});
