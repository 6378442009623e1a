import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';
import { MenuButton, MenuItem } from './menu';
import { Popover } from './popover';

function Page() {
  const [edits, setEdits] = useState(false);
  return (
    <>
      <MenuButton icon="more" label="Actions">
        <MenuItem disabled>Copy</MenuItem>
        <MenuItem onSelect={() => setEdits(true)}>Rename …</MenuItem>
      </MenuButton>
      {edits && (
        <Dialog title="Rename" onClose={() => setEdits(false)}>
          <Popover label="About the name" trigger={<Button>About</Button>}>
            <a href="/">Source</a>
          </Popover>
        </Dialog>
      )}
    </>
  );
}

test('by keyboard from a menu to a window to a panel, and each Escape goes one step back', async () => {
  const user = userEvent.setup({ pointerEventsCheck: 0 });
  const { findByRole, getByRole, queryByRole } = render(<Page />);
  const actions = getByRole('button', { name: 'Actions' });
  actions.focus();
  await user.keyboard('{ArrowDown}');
  // What is disabled is passed over.
  expect(await findByRole('menuitem', { name: 'Rename …' })).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(queryByRole('menu')).toBeNull();
  expect(actions).toHaveFocus();

  await user.keyboard('{Enter}{Enter}');
  const window = await findByRole('dialog', { name: 'Rename' });
  expect(window).toHaveFocus();
  const about = getByRole('button', { name: 'About' });
  await user.click(about);
  expect(await findByRole('dialog', { name: 'About the name' })).toBeVisible();
  expect(window).toContainElement(getByRole('link', { name: 'Source' }));
  await user.keyboard('{Escape}');
  expect(about).toHaveFocus();
  await user.click(document.body);
  expect(window).toBeVisible();
  await user.keyboard('{Escape}');
  expect(queryByRole('dialog')).toBeNull();
  await vi.waitFor(() => expect(actions).toHaveFocus());
});
