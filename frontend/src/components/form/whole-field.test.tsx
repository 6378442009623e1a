import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { JsonSchema } from '../../lib/schema';
import { DocumentForm } from './document-form';

const counted: JsonSchema = { title: 'GPUs', type: 'number', unit: 'count', multipleOf: 1 };
const sized: JsonSchema = {
  title: 'Block',
  type: 'integer',
  unit: 'B',
  typed_unit: 'KiB',
  multipleOf: 512,
};
const schema: JsonSchema = { type: 'object', properties: { gpus: counted, block: sized } };

it('keeps a fraction of what is counted as it was typed, to be refused, and rounds to sectors', async () => {
  const onChange = vi.fn();
  const screen = render(
    <DocumentForm
      formId="work"
      schema={schema}
      root={schema}
      value={{ gpus: 8, block: 4096 }}
      provenance={{}}
      faults={[]}
      ranges={[]}
      frame={{ filter: '', isOpen: () => true, setOpen: () => undefined }}
      onChange={onChange}
    />,
  );
  for (const [name, text, held] of [
    ['GPUs', '8.5', { gpus: 8.5 }],
    ['GPUs', '16 GPUs', { gpus: 16 }],
    ['Block', '4.1', { block: 4096 }],
  ] as const) {
    const field = screen.getByRole('textbox', { name });
    await userEvent.clear(field);
    await userEvent.paste(text);
    expect(onChange.mock.lastCall?.[0]).toMatchObject(held);
  }
});
