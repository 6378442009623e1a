import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { JsonSchema } from '../../lib/schema';
import { DocumentForm } from './document-form';

const schema: JsonSchema = {
  type: 'object',
  properties: { ratio: { title: 'Compression', type: 'number', minimum: 1, maximum: 100 } },
};

it('a range beyond what a field takes is refused where it is set', async () => {
  const onRange = vi.fn();
  const screen = render(
    <DocumentForm
      formId="array"
      schema={schema}
      root={schema}
      value={{ ratio: 1.5 }}
      provenance={{}}
      faults={[]}
      ranges={[]}
      frame={{ filter: '', isOpen: () => true, setOpen: () => undefined }}
      onChange={() => undefined}
      onRange={onRange}
    />,
  );
  await userEvent.click(screen.getByRole('button', { name: 'About Compression' }));
  const set = async (low: string, high: string) => {
    for (const [name, text] of [
      ['Lowest', low],
      ['Highest', high],
    ] as const) {
      await userEvent.clear(screen.getByLabelText(name));
      await userEvent.type(screen.getByLabelText(name), text);
    }
    await userEvent.click(screen.getByRole('button', { name: 'Set range', hidden: true }));
  };
  await set('1.2', '1000');
  expect(onRange).not.toHaveBeenCalled();
  expect(screen.getByText('Enter at most 100.')).toBeInTheDocument();
  await set('1.2', '2');
  expect(onRange).toHaveBeenCalledWith('/ratio', { low: 1.2, high: 2 });
});
