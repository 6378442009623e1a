import { fireEvent, render, screen } from '@testing-library/react';
import type { Drive } from '../../lib/drives';
import { askedBy, type CalibrationAnswer } from './calibration';
import { FittedDrive } from './components/fitted-drive';

const loop = (users_count: number, wake_ms: number) => ({
  kind: 'closed' as const,
  users_count,
  think_ms: 0.017,
  think_times_vary: false,
  wake_ms,
});
const answer = {
  headline: 'Told.',
  drive: { name: 'S', kind: 'ssd' },
  depths: [
    { way: 'read', depth_count: 1, arrivals: loop(1, 0.009) },
    { way: 'read', depth_count: 4, arrivals: null },
    { way: 'write', depth_count: 64, arrivals: loop(64, 0) },
  ],
} as unknown as CalibrationAnswer;
const sheet = { name: 'S' } as Drive;

function shown(asked?: ReturnType<typeof askedBy>) {
  const onUse = vi.fn();
  render(<FittedDrive id="a" answer={answer} sheet={sheet} asked={asked} onUse={onUse} />);
  return onUse;
}
const use = () => fireEvent.click(screen.getByRole('button', { name: 'Use in an array' }));

describe('a fitted drive', () => {
  it('is taken to an array with the host at the depth that is chosen', () => {
    const onUse = shown(askedBy(answer, { size_bytes: 4096 }));
    const field = screen.getByLabelText('Requests');
    expect([...field.querySelectorAll('option')].map((one) => one.textContent)).toEqual([
      'The page’s own',
      'Reads at depth 1, as measured',
      'Writes at depth 64, as measured',
    ]);
    use();
    expect(onUse.mock.calls[0]?.[1]).toBeUndefined();
    fireEvent.change(field, { target: { value: 'Reads at depth 1' } });
    use();
    expect(onUse).toHaveBeenLastCalledWith(
      { kind: 'ssd', name: 'S, calibrated' },
      { arrivals: loop(1, 0.009), size_bytes: 4096, read_fraction: 1 },
    );
  });

  it('knows no requests without their size', () => {
    expect(askedBy(answer, undefined)).toEqual([]);
  });

  it('asks for no requests where none are known', () => {
    const onUse = shown();
    expect(screen.queryByLabelText('Requests')).toBeNull();
    use();
    expect(onUse).toHaveBeenCalledTimes(1);
  });
});
