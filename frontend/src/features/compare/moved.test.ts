import type { StudyDocument } from '../../lib/types';
import { asked, changed } from './moved';

const study = {
  draws_count: 10_000,
  designs: [{ letter: 'A' }, { letter: 'D', staff_fte: 2 }],
  assumptions: { pue: 1.5 },
  ranges: [{ pointer: '/designs/D/staff_fte', low: 1, high: 3 }],
} as unknown as StudyDocument;

describe('a study with an input moved', () => {
  it('has what the plan says that it changes, wherever that stands', () => {
    const shown = changed(study, {
      '/designs/D/staff_fte': 2.5,
      '/assumptions/pue': 1.2,
      '/ranges': [],
    });
    expect(shown).toMatchObject({ assumptions: { pue: 1.2 }, ranges: [] });
    expect(shown.designs[1]).toMatchObject({ staff_fte: 2.5 });
    expect(study).toMatchObject({ assumptions: { pue: 1.5 } });
  });

  it('keeps its simulations when the slider is let go', () => {
    expect(asked(study, false).draws_count).toBe(10_000);
  });

  it('shows means while the slider is held too, of fewer simulations', () => {
    expect(asked(study, true).draws_count).toBe(1000);
  });

  it('simulates nothing where nothing has a range', () => {
    expect(asked({ ...study, draws_count: 0 }, true).draws_count).toBe(0);
  });
});
