import { http, HttpResponse } from 'msw';
import { violations } from './axe';
import { card, page, study } from './data';
import { open } from './render';
import { at, problem, server } from './server';

describe('the list of studies', () => {
  it('shows each study with its verdict in a sentence', async () => {
    const { findByRole, container } = open('/');
    const link = await findByRole('link', { name: 'Rent or own' });
    const text = link.closest('article')?.textContent?.replaceAll('\u00a0', ' ') ?? '';
    expect(text).toContain(card.verdict?.headline.replaceAll('**', ''));
    expect(await violations(container)).toEqual([]);
  });

  it('says so when there are none', async () => {
    server.use(http.get(at('/studies'), () => HttpResponse.json(page([]))));
    const { findByText } = open('/');
    expect(await findByText(/No studies yet/)).toBeVisible();
  });

  it('says what went wrong, and tries again when asked to', async () => {
    server.use(http.get(at('/studies'), () => problem(500, 'The database does not answer.')));
    const { findByRole, user } = open('/');
    const alert = await findByRole('alert');
    expect(alert).toHaveTextContent('The database does not answer.');
    server.resetHandlers();
    await user.click(await findByRole('button', { name: 'Try again' }));
    expect(await findByRole('link', { name: 'Rent or own' })).toBeVisible();
  });

  it('fetches the next page by its cursor', async () => {
    const cursors: (string | null)[] = [];
    server.use(
      http.get(at('/studies'), ({ request }) => {
        const asked = new URL(request.url).searchParams;
        const cursor = asked.get('cursor');
        if (asked.get('limit') === '24') cursors.push(cursor);
        const second = { ...card, id: 'second', title: 'Another' };
        return HttpResponse.json(cursor ? page([second]) : page([card], 'next'));
      }),
    );
    const { findByRole, user } = open('/');
    await user.click(await findByRole('button', { name: 'Show more' }));
    expect(await findByRole('link', { name: 'Another' })).toBeVisible();
    expect(cursors).toEqual([null, 'next']);
  });

  it('creates a study and opens its forms', async () => {
    const sent: unknown[] = [];
    server.use(
      http.post(at('/studies'), async ({ request }) => {
        sent.push(await request.json());
        expect(request.headers.get('Idempotency-Key')).toMatch(/^[0-9a-f]{32}$/);
        return HttpResponse.json(study, { status: 201 });
      }),
    );
    const { findByRole, getByLabelText, user, router } = open('/');
    await user.click(await findByRole('link', { name: 'New study' }));
    await user.click(await findByRole('button', { name: 'Blank study' }));
    await user.type(getByLabelText('Title'), 'Frankfurt');
    await user.click(await findByRole('button', { name: 'Create' }));
    await vi.waitFor(() => expect(router.state.location.pathname).toMatch(/designs$/));
    expect(sent).toEqual([{ title: 'Frankfurt', question: '' }]);
  });
});
