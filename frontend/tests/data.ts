import comparisonFile from '../../backend/reports/tests/fixtures/comparison.json';
import drawnFile from '../../backend/reports/tests/fixtures/figures.json';
import documentFile from '../../backend/reports/tests/fixtures/document.json';
import type { Comparison } from '../src/lib/comparison';
import type { Model } from '../src/lib/models';
import type { Run, Session, Study, StudyDocument } from '../src/lib/types';

/** The plan's own answer to the shared document, and its charts; see `reports.tests.series`. */
export const comparison = { ...comparisonFile, drawn: drawnFile } as unknown as Comparison;
export const document = documentFile as unknown as StudyDocument;

export const session: Session = {
  user: { id: 'u-1', email: 'alice@example.org' },
  workspace: { id: 'w-1', name: 'Alice', role: 'owner' },
  events_url: '',
};

export const member = {
  id: 'm-1',
  email: session.user.email,
  role: 'owner',
  created_at: '2026-11-20T10:00:00Z',
};

const NOW = '2026-11-20T10:00:00Z';

export const study = {
  id: '11111111-1111-4111-8111-111111111111',
  slug: 'rent-or-own',
  title: 'Rent or own',
  question: 'Should we rent or own?',
  is_example: true,
  revision: 1,
  params_version: 1,
  workload: document.workload,
  workload_provenance: {},
  assumptions: document.assumptions,
  assumptions_provenance: {},
  baseline: null,
  baseline_provenance: {},
  ranges: [],
  draws_count: 10_000,
  seed: 1,
  snapshot: '2026-07-20',
  price_dates: '',
  tags: [],
  can_undo: false,
  can_redo: false,
  winner: comparison.winner ?? '',
  cost_usd: 2_970_000,
  verdict: comparison.verdict,
  faults: [],
  ranges_left: [],
  created_at: NOW,
  updated_at: NOW,
  designs: document.designs.map(({ letter, title, kind, ...spec }, at) => ({
    id: `d-${at}`,
    study: '11111111-1111-4111-8111-111111111111',
    letter: String(letter),
    title: String(title),
    kind: String(kind),
    spec,
    provenance: {},
    position: at,
    revision: 1,
    faults: [],
    cautions: [],
    ranges_left: [],
    updated_at: NOW,
  })),
} as unknown as Study;

export const card = { ...study, faults_count: 0 };

/** A small plan schema with one field of every type that forms know. */
export const planSchema: Model['params_schema'] = {
  type: 'object',
  properties: {
    designs: {
      type: 'array',
      items: {
        oneOf: [
          { $ref: '#/$defs/Cloud' },
          { $ref: '#/$defs/OwnedCluster' },
          { $ref: '#/$defs/Hybrid' },
        ],
        discriminator: { propertyName: 'kind' },
      },
    },
    workload: { $ref: '#/$defs/Workload' },
    assumptions: { $ref: '#/$defs/Assumptions' },
    baseline: { anyOf: [{ $ref: '#/$defs/Baseline' }, { type: 'null' }], default: null },
  },
  $defs: {
    Cloud: {
      title: 'Cloud',
      description: 'Rented.',
      properties: {
        kind: { const: 'cloud', type: 'string' },
        staff_fte: {
          title: 'Operations',
          type: 'number',
          unit: 'FTE',
          minimum: 0,
          default: 0,
          default_source: { source: 'None unless entered', quality: 'assumed' },
        },
      },
      required: ['kind'],
    },
    Hybrid: {
      properties: { kind: { const: 'hybrid', type: 'string' } },
      required: ['kind'],
    },
    OwnedCluster: {
      title: 'Owned cluster',
      description: 'Bought.',
      properties: {
        kind: { const: 'owned_cluster', type: 'string' },
        support_usd_per_month: { title: 'Support', type: 'number', unit: 'USD/month', minimum: 0 },
        staff_fte: { title: 'Operations', type: 'number', unit: 'FTE', minimum: 0, default: 0 },
        spares_fraction_per_year: {
          title: 'Spares',
          type: 'number',
          unit: 'fraction/yr',
          default: 0,
        },
        refresh_months: {
          title: 'Refresh',
          unit: 'months',
          anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }],
          default: null,
          description: 'Empty: not within the horizon.',
        },
        method: { title: 'Method', enum: ['straight_line', 'macrs_5'], default: 'straight_line' },
        is_leased: { title: 'Leased', type: 'boolean', default: false },
        starts_on: { title: 'Start', type: 'string', pattern: String.raw`^\d{4}-\d{2}$` },
        power: {
          title: 'Power',
          oneOf: [{ $ref: '#/$defs/Constant' }, { $ref: '#/$defs/Linear' }],
          discriminator: { propertyName: 'kind' },
        },
        node_groups: { title: 'Node groups', type: 'array', items: { $ref: '#/$defs/Group' } },
        shape: { title: 'Hourly prices', type: 'array', items: { type: 'number' }, default: [] },
        embodied: {
          title: 'Embodied carbon',
          anyOf: [{ $ref: '#/$defs/Embodied' }, { type: 'null' }],
          default: null,
        },
      },
      required: ['kind', 'power'],
    },
    Constant: {
      properties: {
        kind: { const: 'constant', type: 'string' },
        power_w: { title: 'Power', type: 'number', unit: 'W' },
      },
      required: ['kind', 'power_w'],
    },
    Linear: {
      properties: {
        kind: { const: 'linear', type: 'string' },
        idle_w: { title: 'Idle power', type: 'number', unit: 'W' },
        peak_w: { title: 'Peak power', type: 'number', unit: 'W' },
      },
      required: ['kind', 'idle_w', 'peak_w'],
    },
    Group: {
      properties: {
        name: { title: 'Name', type: 'string' },
        cores_per_node_count: {
          title: 'Cores per node',
          type: 'number',
          unit: 'cores',
          default: 0,
        },
        ram_gib: { title: 'RAM per node', type: 'number', unit: 'GiB', default: 0 },
        power: {
          title: 'Power',
          oneOf: [{ $ref: '#/$defs/Constant' }, { $ref: '#/$defs/Linear' }],
          discriminator: { propertyName: 'kind' },
        },
      },
      required: ['name', 'power'],
    },
    Embodied: {
      properties: {
        kgco2e: { title: 'Emissions', type: 'number', unit: 'kg CO2e', default: 1300 },
      },
    },
    Workload: {
      title: 'Workload',
      properties: { busy: { title: 'Busy cores', type: 'number', unit: 'cores' } },
    },
    Assumptions: {
      title: 'Assumptions',
      properties: { pue: { title: 'PUE', type: 'number', unit: 'ratio', default: 1.4 } },
    },
    Baseline: {
      title: 'Baseline',
      properties: { title: { title: 'Title', type: 'string', default: 'Today' } },
    },
  },
};

export const plan: Model = {
  id: 'plans.compare',
  title: 'Comparison of designs',
  summary: 'Sizes and prices every design.',
  family: 'plans',
  version: '1.0.0',
  params_version: 1,
  instant: true,
  stochastic: true,
  citations: [],
  checks_count: 0,
  formulas: [],
  start: null,
  start_source: '',
  cases: [],
  limits: [],
  papers: [],
  params_schema: planSchema,
  result_schema: {},
};

export const run: Run = {
  id: 'r-1',
  model: 'plans.compare',
  model_version: '1.0.0',
  study: study.id,
  state: 'succeeded',
  progress_fraction: 1,
  progress_message: '',
  seconds_left: null,
  inputs_hash: 'abcdef0123456789',
  seed: 1,
  snapshot: '2026-07-20',
  reused: false,
  reused_from: null,
  again_of: null,
  winner: 'D',
  cost_usd: 2_970_000,
  headline: '**D is cheapest**.',
  odds: { A: 0.33, D: 0.67 },
  moved_count: null,
  moved_fraction: null,
  burst: null,
  error: null,
  submitted_at: NOW,
  started_at: NOW,
  ended_at: NOW,
};

export function page<T>(results: T[], next_cursor: string | null = null) {
  return { results, next_cursor, previous_cursor: null };
}
