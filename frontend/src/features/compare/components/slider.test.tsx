import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { USD } from '../../../lib/format';
import { ExplainProvider } from './explain';
import { Slider } from './slider';

const GPUS = {
  pointer: '/workload/gpus_count',
  label: 'GPUs',
  unit: 'count',
  value: 8,
  low: 4,
  high: 16,
  schema: { type: 'integer' as const, minimum: 1, maximum: 1000, unit: 'count' },
};

it('takes a value that is typed, also beyond its track, and refuses what the plan does', async () => {
  const onRelease = vi.fn();
  const screen = render(
    <ExplainProvider studyId="1" document={{ designs: [] } as never} currency={USD}>
      <Slider input={GPUS} value={8} currency={USD} onMove={vi.fn()} onRelease={onRelease} />
    </ExplainProvider>,
  );
  const field = screen.getByRole('textbox', { name: 'Value of GPUs' });
  for (const [text, refusal] of [
    ['8.5', 'Enter a whole number, such as 12.'],
    ['2000', 'Enter at most 1,000.'],
  ] as const) {
    await userEvent.clear(field);
    await userEvent.type(field, text);
    expect(screen.getByRole('alert')).toHaveTextContent(refusal);
    expect(onRelease).not.toHaveBeenCalledWith(Number(text));
  }
  await userEvent.clear(field);
  await userEvent.type(field, '24 GPUs');
  expect(onRelease).toHaveBeenLastCalledWith(24);
  expect(screen.getByRole('slider', { name: 'GPUs' })).toBeInTheDocument();
});
