import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { JsonSchema } from '../../lib/schema';
import type { ChoiceEntry } from '../../lib/types';
import { ChoicesContext } from './choices';
import { DocumentForm } from './document-form';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    end: { title: 'End', type: 'string', enum: ['work_continues', 'work_stops'] },
    horizon_months: { title: 'Horizon', type: 'integer', minimum: 1, unit: 'months' },
    pue: { title: 'PUE', type: 'number' },
  },
};

function form(all: readonly ChoiceEntry[], set: (...given: unknown[]) => void) {
  const choices = { all, set, takes: () => true, label: (pointer: string) => pointer };
  return render(
    <ChoicesContext value={choices}>
      <DocumentForm
        formId="assumptions"
        place="/assumptions"
        schema={schema}
        root={schema}
        value={{ end: 'work_continues', horizon_months: 36, pue: 1.4 }}
        provenance={{}}
        faults={[]}
        ranges={[]}
        frame={{ filter: '', isOpen: () => true, setOpen: () => undefined }}
        onChange={() => undefined}
      />
    </ChoicesContext>,
  );
}

it('a choice takes another of its values with odds, and none above all simulations', async () => {
  const set = vi.fn();
  const screen = form([], set);
  await userEvent.click(screen.getByRole('button', { name: 'About End' }));
  await userEvent.click(screen.getByRole('button', { name: 'Add an alternative', hidden: true }));
  await userEvent.selectOptions(screen.getByLabelText('Alternative 1'), 'work_stops');
  await userEvent.type(screen.getByLabelText('Odds of alternative 1 (%)'), '130');
  const save = screen.getByRole('button', { name: 'Set alternatives', hidden: true });
  await userEvent.click(save);
  expect(set).not.toHaveBeenCalled();
  await userEvent.clear(screen.getByLabelText('Odds of alternative 1 (%)'));
  await userEvent.type(screen.getByLabelText('Odds of alternative 1 (%)'), '30');
  expect(screen.getByText('As entered in 70% of the simulations, else:')).toBeInTheDocument();
  await userEvent.click(save);
  expect(set).toHaveBeenCalledWith('/assumptions/end', [
    { value: 'work_stops', odds_fraction: 0.3 },
  ]);
});

it('a whole number shows its alternatives and what goes along stays; a real one has none', async () => {
  const set = vi.fn();
  const along = [{ pointer: '/assumptions/end', value: 'work_stops' }];
  const others = [{ value: 24, odds_fraction: 0.25, along }];
  const screen = form([{ pointer: '/assumptions/horizon_months', others }], set);
  await userEvent.click(screen.getByRole('button', { name: 'About Horizon' }));
  await userEvent.clear(screen.getByLabelText('Alternative 1'));
  await userEvent.type(screen.getByLabelText('Alternative 1'), '30');
  await userEvent.click(screen.getByRole('button', { name: 'Change', hidden: true }));
  expect(set).toHaveBeenCalledWith('/assumptions/horizon_months', [
    { value: 30, odds_fraction: 0.25, along },
  ]);
  await userEvent.keyboard('{Escape}');
  await userEvent.click(screen.getByRole('button', { name: 'About PUE' }));
  expect(screen.queryByRole('button', { name: 'Add an alternative', hidden: true })).toBeNull();
});
