import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { TextInput } from './control';

function Typed({ most }: { most: number }) {
  const [text, setText] = useState('');
  return (
    <TextInput
      aria-label="Title"
      maxLength={most}
      value={text}
      onChange={({ target }) => setText(target.value)}
    />
  );
}

describe('a text that may be so long', () => {
  it('has its length announced before it is reached, and keeps the cursor', async () => {
    const user = userEvent.setup();
    render(<Typed most={30} />);
    const field = screen.getByLabelText('Title');
    await user.type(field, 'x'.repeat(23));
    expect(screen.queryByRole('status')).toBeNull();
    await user.type(field, 'y');
    expect(screen.getByRole('status')).toHaveTextContent('24 of 30 characters');
    await user.type(field, 'z'.repeat(9));
    expect(screen.getByRole('status')).toHaveTextContent('30 characters, the most there may be');
    expect(field).toHaveFocus();
    expect(field).toHaveValue(`${'x'.repeat(23)}y${'z'.repeat(6)}`);
  });

  it('has none announced where it is a code', async () => {
    render(<Typed most={3} />);
    await userEvent.type(screen.getByLabelText('Title'), 'EUR');
    expect(screen.queryByRole('status')).toBeNull();
  });
});
