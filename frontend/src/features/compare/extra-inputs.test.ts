import type { JsonSchema } from '../../lib/schema';
import type { StudyDocument } from '../../lib/types';
import { extraInputs } from './extra-inputs';

const use: JsonSchema = { type: 'number', title: 'Utilisation', unit: 'fraction' };
const machine: JsonSchema = { type: 'object', properties: { use } };
const plan: JsonSchema = {
  properties: {
    workload: {
      properties: {
        use: { ...use, shown_when: { 'machines/*/use': false } },
        machines: { type: 'array', items: machine },
      },
    },
    assumptions: {
      properties: {
        kind: { enum: ['flat', 'none'] },
        price: { type: 'number', title: 'Price', shown_when: { kind: ['flat'] } },
      },
    },
  },
};

const offered = (uses: (number | null)[], kind: string) =>
  extraInputs(plan, {
    designs: [],
    workload: { use: 0.25, machines: uses.map((one) => ({ use: one })) },
    assumptions: { kind, price: 3 },
  } as unknown as StudyDocument).map(({ pointer }) => pointer);

it('no lever is offered that moves nothing', () => {
  expect(offered([0.1], 'none')).toEqual(['/workload/machines/0/use']);
  expect(offered([0.1, null], 'flat')).toEqual([
    '/workload/use',
    '/workload/machines/0/use',
    '/assumptions/price',
  ]);
});
