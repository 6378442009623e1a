import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { JsonSchema } from '../../lib/schema';
import { setNumberFormat } from '../../lib/typed-number';
import { DocumentForm } from './document-form';

const schema: JsonSchema = {
  type: 'object',
  properties: { fill: { title: 'Fill', type: 'number', unit: 'fraction', maximum: 0.9 } },
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
