import { act, fireEvent, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { AmountField } from './amount-field';

it('the sentence below a field stays until a press elsewhere is over', async () => {
  const pressed = vi.fn();
  const screen = render(
    <>
      <AmountField label="RAM" value={4} unit="GiB" onAmount={() => undefined} />
      <button type="button" onClick={pressed}>
        Add
      </button>
    </>,
  );
  const field = screen.getByRole('textbox', { name: 'RAM' });
  const button = screen.getByRole('button', { name: 'Add' });
  await userEvent.type(field, '8');
  expect(screen.getByRole('status')).toBeVisible();
  fireEvent.mouseDown(button);
  act(() => field.blur());
  expect(screen.getByRole('status')).toBeVisible();
  fireEvent.mouseUp(button);
  fireEvent.click(button);
  expect(screen.getByRole('status')).toBeVisible();
  expect(pressed).toHaveBeenCalledTimes(1);
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(screen.queryByRole('status')).toBeNull();
});

it('the sentence goes at once where the field is left by the keyboard', async () => {
  const screen = render(
    <AmountField label="RAM" value={4} unit="GiB" onAmount={() => undefined} />,
  );
  await userEvent.type(screen.getByRole('textbox', { name: 'RAM' }), '8');
  await userEvent.tab();
  expect(screen.queryByRole('status')).toBeNull();
});

it('a number tabbed to stays selected, though it loses its groups', async () => {
  const screen = render(
    <AmountField label="RAM" value={4000} unit="GiB" onAmount={() => undefined} />,
  );
  const field = screen.getByRole('textbox', { name: 'RAM' }) as HTMLInputElement;
  expect(field).toHaveValue('4,000');
  await act(async () => {
    field.select();
    field.focus();
    await Promise.resolve();
  });
  expect(field).toHaveValue('4000');
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 4]);
});
