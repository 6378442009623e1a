import { card, run } from '../../../tests/data';
import type { Run, StudyCard } from '../../lib/types';
import { standings } from './standing';

const study = (id: string, more: object = {}): StudyCard =>
  ({
    ...card,
    id,
    is_example: false,
    verdict: { ...card.verdict, kind: 'clear' },
    ...more,
  }) as StudyCard;
const kept = (of: string, more: object = {}): Run =>
  ({
    ...run,
    id: `run of ${of}`,
    study: of,
    state: 'succeeded',
    model_version: '2',
    ...more,
  }) as Run;
const close = { ...card.verdict, kind: 'open' };

describe('where studies stand', () => {
  it('tells them apart by verdict, freshness, work and approval', () => {
    const found = standings({
      version: '2',
      cards: [
        study('good'),
        study('close', { verdict: close }),
        study('short', { is_example: true, verdict: { ...card.verdict, kind: 'none' } }),
        study('missing', { faults_count: 2 }),
        study('empty', { designs: [] }),
        study('fresh', { verdict: null }),
        study('example', { is_example: true }),
      ],
      runs: [
        kept('good', { state: 'running' }),
        kept('good', { inputs_hash: 'now' }),
        kept('good', { inputs_hash: 'before', model_version: '1' }),
        kept('close', { inputs_hash: 'changed', model_version: '1' }),
        kept('example', { state: 'failed', model_version: '1' }),
      ],
      approved: [kept('good', { inputs_hash: 'now' }), kept('close', { inputs_hash: 'as it was' })],
    });
    const ids = Object.entries(found).map(([key, cards]) => [key, cards.map(({ id }) => id)]);
    expect(Object.fromEntries(ids)).toEqual({
      answered: ['good', 'example'],
      close: ['close'],
      unmet: ['short'],
      incomplete: ['missing', 'empty'],
      open: ['fresh'],
      stale: ['close'],
      running: ['good'],
      unapproved: ['close', 'fresh'],
    });
  });

  it('says nothing of freshness while the version of the model is not known', () => {
    const runs = [kept('good', { model_version: '1' })];
    const found = standings({ version: undefined, cards: [study('good')], runs, approved: [] });
    expect(found.stale).toEqual([]);
  });
});
