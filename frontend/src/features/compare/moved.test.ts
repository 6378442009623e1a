import type { StudyDocument } from '../../lib/types';
import { moved } from './moved';

const study = { draws_count: 10_000, assumptions: { pue: 1.5 } } as unknown as StudyDocument;

describe('a study with an input moved', () => {
  it('keeps its simulations when the slider is let go', () => {
    const asked = moved(study, { '/assumptions/pue': 1.2 }, false);
    expect(asked).toMatchObject({ draws_count: 10_000, assumptions: { pue: 1.2 } });
  });

  it('shows means while the slider is held too, of fewer simulations', () => {
    const asked = moved(study, { '/assumptions/pue': 1.2 }, true);
    expect(asked).toMatchObject({ draws_count: 1000, assumptions: { pue: 1.2 } });
  });

  it('simulates nothing where nothing has a range', () => {
    expect(moved({ ...study, draws_count: 0 }, {}, true).draws_count).toBe(0);
  });
});
