import { fireEvent, render, screen } from '@testing-library/react';
import { useLayoutEffect, useState } from 'react';
import { expect, test } from 'vitest';
import { Dialog } from './dialog';

const escape = () => fireEvent.keyDown(document.body, { key: 'Escape' });

/** Presses Escape the moment it is drawn, before its window hears keys. */
function Hasty() {
  useLayoutEffect(() => void escape(), []);
  return null;
}

function Windows({ hasty = false }) {
  const [outer, setOuter] = useState(true);
  const [inner, setInner] = useState(false);
  return (
    <>
      {outer && (
        <Dialog title="Outer" onClose={() => setOuter(false)}>
          <button type="button" onClick={() => setInner(true)}>
            Open
          </button>
        </Dialog>
      )}
      {outer && inner && (
        <Dialog title="Inner" onClose={() => setInner(false)}>
          {hasty && <Hasty />}
        </Dialog>
      )}
    </>
  );
}

const titles = () => screen.queryAllByRole('heading').map((title) => title.textContent);

test('Escape closes one window after another, the topmost first', () => {
  render(<Windows />);
  fireEvent.click(screen.getByRole('button', { name: 'Open' }));
  expect(titles()).toEqual(['Inner']);
  escape();
  expect(titles()).toEqual(['Outer']);
  escape();
  expect(titles()).toEqual([]);
});

test('a window pressed away as soon as it is drawn leaves the one below it open', () => {
  render(<Windows hasty />);
  fireEvent.click(screen.getByRole('button', { name: 'Open' }));
  expect(titles()).toEqual(['Outer']);
});
