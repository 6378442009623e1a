import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import type { JsonObject } from '../../lib/pointer';
import type { JsonSchema } from '../../lib/schema';
import { KindChoice, useKind } from './kind-choice';

const kind = (tag: string, ...names: string[]): JsonSchema => ({
  type: 'object',
  properties: {
    kind: { const: tag },
    ...Object.fromEntries(names.map((name) => [name, { type: 'number', default: 1 }])),
  },
});
const union: JsonSchema = {
  oneOf: [kind('demand', 'cores', 'growth', 'ram'), kind('jobs', 'growth', 'hours'), kind('none')],
};
const START = { kind: 'demand', cores: 420, growth: 0.22, ram: 1 };

it('what another kind has no place for is said, kept aside, and comes back with its kind', async () => {
  const held = vi.fn();
  function Form() {
    const [value, setValue] = useState<JsonObject>(START);
    held(value);
    return (
      <KindChoice
        id="kind"
        none="Choose"
        kind={useKind({ union, root: union, value, onChange: setValue })}
      />
    );
  }
  const screen = render(<Form />);
  const choice = screen.getByRole('combobox', { name: 'Kind' });
  await userEvent.selectOptions(choice, 'jobs');
  expect(held.mock.lastCall?.[0]).toMatchObject({ kind: 'jobs', growth: 0.22 });
  expect(held.mock.lastCall?.[0]).not.toHaveProperty('cores');
  // a value as it was begun is not missed
  expect(screen.getByRole('status')).toHaveTextContent('no place for what was entered as Cores.');
  await userEvent.click(screen.getByRole('button', { name: /^Back to/ }));
  expect(held).toHaveBeenLastCalledWith(START);
  expect(screen.queryByRole('status')).toBeNull();
  // by way of a kind that holds nothing as well
  await userEvent.selectOptions(choice, 'none');
  await userEvent.selectOptions(choice, 'demand');
  expect(held).toHaveBeenLastCalledWith(START);
});
