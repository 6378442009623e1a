import { render } from '@testing-library/react';
import type { JsonSchema } from '../../lib/schema';
import { DocumentForm } from './document-form';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    month: { title: 'First month', type: 'string', pattern: String.raw`^\d{4}-(0[1-9]|1[0-2])$` },
    day: {
      title: 'Date',
      type: 'string',
      pattern: String.raw`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$`,
    },
  },
};

it('a month is shown as it is held, as a day is', () => {
  const { container } = render(
    <DocumentForm
      formId="plan"
      schema={schema}
      root={schema}
      value={{ month: '2026-12', day: '2026-12-31' }}
      provenance={{}}
      faults={[]}
      ranges={[]}
      frame={{ filter: '', isOpen: () => true, setOpen: () => undefined }}
      onChange={() => undefined}
    />,
  );
  const held = [...container.querySelectorAll('input')].map(({ type, value }) => [type, value]);
  expect(held).toEqual([
    ['month', '2026-12'],
    ['date', '2026-12-31'],
  ]);
});
