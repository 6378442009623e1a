import { waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { page } from './data';
import { open } from './render';
import { problem, server } from './server';

/** What was asked for, in its order; nothing is ever made of it. */
function asking(): unknown[] {
  const asked: unknown[] = [];
  server.use(
    http.get('*/api/v1/imports', () => HttpResponse.json(page([]))),
    http.get('*/api/v1/imports/formats', () =>
      HttpResponse.json({
        sentence: 'Bills.',
        formats: [],
        price_lists: [
          { provider: 'aws', title: 'AWS EC2', by_region: true },
          { provider: 'gcp', title: 'Google Cloud', by_region: false },
        ],
        providers: [],
      }),
    ),
    http.post('*/api/v1/imports/prices', async ({ request }) => {
      asked.push(await request.json());
      return problem(422, 'No key.');
    }),
  );
  return asked;
}

test('a region, every region, and lists without regions are asked for', async () => {
  const asked = asking();
  const { findByRole, user } = open('/imports');
  const form = within(await findByRole('form', { name: 'Price list of a provider' }));
  expect(form.getByRole('button', { name: 'Fetch prices' })).toBeDisabled();
  await user.type(await form.findByRole('textbox', { name: 'Region' }), 'eu-west-1');
  await user.click(form.getByRole('button', { name: 'Fetch prices' }));
  await waitFor(() => expect(asked).toHaveLength(1));
  await user.selectOptions(form.getByRole('combobox', { name: 'Regions' }), 'every');
  expect(form.queryByRole('textbox')).toBeNull();
  await user.click(form.getByRole('button', { name: 'Fetch prices' }));
  await waitFor(() => expect(asked).toHaveLength(2));
  await user.selectOptions(form.getByRole('combobox', { name: 'Prices and rates of' }), 'gcp');
  expect(form.queryByRole('combobox', { name: 'Regions' })).toBeNull();
  await user.click(form.getByRole('button', { name: 'Fetch prices' }));
  await waitFor(() => expect(asked).toHaveLength(3));
  expect(asked).toEqual([
    { provider: 'aws', region: 'eu-west-1' },
    { provider: 'aws', region: 'all' },
    { provider: 'gcp', region: '' },
  ]);
  expect(await form.findByRole('alert')).toHaveTextContent('No key.');
});
