import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { SaveState } from './save-state';

test.each([
  ['saved', 0, 'Saved'],
  ['saved', 1, 'Saved as typed, with 1 value to correct'],
  ['saved', 3, 'Saved as typed, with 3 values to correct'],
  ['failed', 3, 'Not saved'],
] as const)('a draft that is %s with %d faults says %s', (status, faultsCount, text) => {
  const screen = render(
    <QueryClientProvider client={new QueryClient()}>
      <SaveState status={status} message={null} faultsCount={faultsCount} />
    </QueryClientProvider>,
  );
  expect(screen.getByRole('status')).toHaveTextContent(new RegExp(`^${text}$`));
});
