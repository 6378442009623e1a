import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { JsonSchema } from '../../lib/schema';
import { setNumberFormat } from '../../lib/typed-number';
import { DocumentForm } from './document-form';

const schema: JsonSchema = {
  type: 'object',
  properties: { fill: { title: 'Fill', type: 'number', unit: 'fraction', maximum: 0.98 } },
};

afterEach(() => setNumberFormat(''));

it('a field says what was understood or why it is refused, in its own numbers, never both', async () => {
  setNumberFormat('comma');
  const form = (faults: { pointer: string; code: string; message: string }[]) => (
    <DocumentForm
      formId="array"
      schema={schema}
      root={schema}
      value={{ fill: 0.5 }}
      provenance={{}}
      faults={faults}
      ranges={[]}
      frame={{ filter: '', isOpen: () => true, setOpen: () => undefined }}
      onChange={() => undefined}
    />
  );
  const screen = render(form([]));
  const field = screen.getByRole('textbox', { name: 'Fill' });
  await userEvent.clear(field);
  await userEvent.type(field, '95,5');
  expect(screen.getByText('= 95,5%')).toBeVisible();
  screen.rerender(form([{ pointer: '/fill', code: 'value', message: 'Enter at most 92.5%.' }]));
  expect(screen.getByText('Enter at most 92,5%.')).toBeVisible();
  expect(screen.queryByText('= 95,5%')).toBeNull();
  expect(field).toHaveAccessibleDescription('Enter at most 92,5%.');
  await userEvent.clear(field);
  await userEvent.type(field, 'much');
  expect(screen.getByRole('alert')).toHaveTextContent('Enter an amount in %, such as 22%.');
  expect(screen.queryByText('Enter at most 92,5%.')).toBeNull();
});

it('an amount beyond the limits of its field is never echoed, not even before it is checked', async () => {
  const prices: JsonSchema = {
    type: 'object',
    properties: {
      price: { title: 'Price', type: 'number', unit: 'USD/h', minimum: 0 },
      nodes: { title: 'Nodes', type: 'integer', unit: 'nodes', minimum: 1 },
    },
  };
  const screen = render(
    <DocumentForm
      formId="rent"
      schema={prices}
      root={prices}
      value={{ price: 1, nodes: 2 }}
      provenance={{}}
      faults={[]}
      ranges={[]}
      currency={{ code: 'EUR', per_usd: 0.9 }}
      frame={{ filter: '', isOpen: () => true, setOpen: () => undefined }}
      onChange={() => undefined}
    />,
  );
  for (const [name, text, refusal] of [
    ['Price', '-5 EUR/h', 'Enter at least €0/h.'],
    ['Nodes', '0', 'Enter at least 1 nodes.'],
  ] as const) {
    const field = screen.getByRole('textbox', { name });
    await userEvent.clear(field);
    await userEvent.type(field, text);
    expect(screen.queryByText(/^= /u)).toBeNull();
    expect(screen.getByRole('alert')).toHaveTextContent(refusal);
    await userEvent.clear(field);
    await userEvent.type(field, '3');
  }
});
