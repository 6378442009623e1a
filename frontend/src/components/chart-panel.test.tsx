import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Figure } from '../lib/figure';
import { ChartPanel } from './chart-panel';

vi.mock('./plotly-figure', () => ({
  PlotlyFigure: ({ figure }: { figure: Figure }) => (
    <p data-testid="drawn">{figure.data.map(({ name }) => name).join(' ')}</p>
  ),
}));

const NAMES = ['hardware', 'energy'];
const draw = (names: string[]) => names.map((name) => ({ type: 'bar' as const, name }));

const FIGURE: Figure = {
  title: 'Cost by cause',
  summary: 'Two causes.',
  data: draw(NAMES),
  layout: {},
  legend: {
    entries: NAMES.map((id) => ({ id, label: id, color: '#123456' })),
    without: (hidden) => draw(NAMES.filter((name) => !hidden.has(name))),
  },
  table: { columns: [{ label: 'Cause', unit: '' }], rows: NAMES.map((name) => [name]) },
};

describe('the values of a chart', () => {
  it('are saved in the currency that the chart is in', async () => {
    const saved: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      saved.push(blob as Blob);
      return 'blob:values';
    });
    vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const table = { columns: [{ label: 'Cost', unit: 'USD' }], rows: [[10]] };
    const build = () => ({ ...FIGURE, table });
    render(<ChartPanel name="Cost" build={build} currency={{ code: 'EUR', per_usd: 0.5 }} />);
    await userEvent.click(screen.getByRole('button', { name: 'Cost: download' }));
    await userEvent.click(screen.getByRole('menuitem', { name: 'Values as CSV' }));
    expect(await saved[0]?.text()).toBe('Cost (EUR)\r\n5\r\n');
    vi.restoreAllMocks();
  });
});

describe('the legend of a chart', () => {
  it('takes a series out and puts it back, by pointer and by keyboard', async () => {
    render(<ChartPanel name="Cost by cause" build={() => FIGURE} />);
    const drawn = () => screen.getByTestId('drawn').textContent;
    const energy = screen.getByRole('button', { name: 'energy', pressed: true });
    await userEvent.click(energy);
    expect(drawn()).toBe('hardware');
    expect(energy).toHaveAttribute('aria-pressed', 'false');
    await userEvent.keyboard('{Enter}');
    expect(drawn()).toBe('hardware energy');
  });

  it('stays as it was set while the table is looked at, which holds all', async () => {
    render(<ChartPanel name="Cost by cause" build={() => FIGURE} />);
    await userEvent.click(screen.getByRole('button', { name: 'energy' }));
    await userEvent.click(screen.getByRole('button', { name: /show as a table/ }));
    expect(screen.getByRole('cell', { name: 'energy' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: /show the chart/ }));
    expect(screen.getByTestId('drawn')).toHaveTextContent(/^hardware$/);
  });
});
