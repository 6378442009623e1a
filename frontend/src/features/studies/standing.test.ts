import { card, run } from '../../../tests/data';
import type { Run, StudyCard } from '../../lib/types';
import { movesOf, standings } from './standing';

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
const NOW = new Date('2026-11-21T10:00:00Z');
const close = { ...card.verdict, kind: 'open' };

describe('where studies stand', () => {
  it('tells them apart by verdict, freshness, work and approval', () => {
    const found = standings({
      version: '2',
      now: NOW,
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
        kept('good', { inputs_hash: 'before', model_version: '1', cost_usd: 1 }),
        kept('close', { inputs_hash: 'changed', model_version: '1' }),
        kept('example', { state: 'failed', model_version: '1' }),
      ],
      told: { stale: ['good'], asked: ['close', 'example'] },
    });
    const ids = Object.entries(found).map(([key, cards]) => [key, cards.map(({ id }) => id)]);
    expect(Object.fromEntries(ids)).toEqual({
      answered: ['good', 'example'],
      close: ['close'],
      unmet: ['short'],
      incomplete: ['missing', 'empty'],
      open: ['fresh'],
      moved: ['good'],
      stale: ['good', 'close'],
      running: ['good'],
      unapproved: ['close', 'example'],
    });
  });

  it('says nothing of the model’s freshness while the version of the model is not known', () => {
    const runs = [kept('good', { model_version: '1' })];
    const cards = [study('good')];
    const told = { stale: [], asked: [] };
    const found = standings({ version: undefined, cards, runs, told, now: NOW });
    expect(found.stale).toEqual([]);
  });

  it('says what the runs of the last seven days moved', () => {
    const runs = [
      kept('other', { winner: 'B', cost_usd: 106.5 }),
      kept('other', { winner: 'A', cost_usd: 100, submitted_at: '2020-01-01T00:00:00Z' }),
      kept('same', { winner: 'A', cost_usd: 100 }),
      kept('same', { winner: 'A', cost_usd: 100 }),
      kept('long ago', { cost_usd: 1, submitted_at: '2026-11-01T10:00:00Z' }),
      kept('long ago', { cost_usd: 2, submitted_at: '2026-10-01T10:00:00Z' }),
      kept('lost', { winner: '', cost_usd: null }),
      kept('lost', { winner: 'A', cost_usd: 100 }),
      kept('single', { cost_usd: 5 }),
    ];
    expect([...movesOf(runs, NOW)]).toEqual([
      ['other', 'cheapest: A → B, cost +6.5%'],
      ['lost', 'cheapest: A → none'],
    ]);
  });
});
