import { render } from '@testing-library/react';
import type { StudyOutlook } from '../lib/types';
import { OutlookChanges } from './outlook-changes';

const change = { letter: 'B', pointer: '/x', entry: 'ours', as_of: null };

it('writes what would move in the currency of its study, with its unit', () => {
  const row = {
    prices_count: 2,
    currency: { code: 'EUR', per_usd: 0.5 },
    changes: [
      { ...change, label: 'm1.large: on-demand price (B)', unit: 'USD/h', before: 0.4, after: 0.8 },
      { ...change, pointer: '/y', label: 'Idle power (B)', unit: 'W', before: 120, after: 125 },
    ],
  } as unknown as StudyOutlook;
  const screen = render(<OutlookChanges row={row} />);
  const text = screen.container.textContent.replaceAll('\u00a0', ' ');
  expect(text).toContain('m1.large: on-demand price (B): €0.20/h → €0.40/h');
  expect(text).toContain('Idle power (B): 120 W → 125 W');
  expect(text).not.toContain('$');
});
