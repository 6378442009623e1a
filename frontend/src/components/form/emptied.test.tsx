import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import type { JsonObject } from '../../lib/pointer';
import type { JsonSchema } from '../../lib/schema';
import { DocumentForm } from './document-form';

const count = (title: string, fallback: number | null): JsonSchema => ({
  title,
  anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }],
  default: fallback,
});

const schema: JsonSchema = {
  type: 'object',
  properties: {
    count: count('Arrays', 1),
    step: count('Step', null),
    drives: { title: 'Drives', type: 'integer', default: 4 },
  },
};

it('a field that is emptied holds what an empty one means, or its default', async () => {
  const held = vi.fn();
  function Form() {
    const [value, setValue] = useState<JsonObject>({ step: 3, drives: 5 });
    held(value);
    return (
      <DocumentForm
        formId="array"
        schema={schema}
        root={schema}
        value={value}
        provenance={{}}
        faults={[]}
        ranges={[]}
        frame={{ filter: '', isOpen: () => true, setOpen: () => undefined }}
        onChange={setValue}
      />
    );
  }
  const screen = render(<Form />);
  expect(screen.getByRole('textbox', { name: 'Arrays' })).toHaveValue('1');
  for (const name of ['Arrays', 'Step', 'Drives']) {
    await userEvent.clear(screen.getByRole('textbox', { name }));
  }
  expect(held).toHaveBeenLastCalledWith({ count: null });
  expect(screen.getByRole('textbox', { name: 'Arrays' })).toHaveAttribute('placeholder', '—');
  expect(screen.getByRole('textbox', { name: 'Drives' })).toHaveAttribute('placeholder', '4');
});
