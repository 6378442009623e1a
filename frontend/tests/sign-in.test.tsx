import { http, HttpResponse } from 'msw';
import { violations } from './axe';
import { session } from './data';
import { open } from './render';
import { at, problem, server } from './server';

const signedOut = () => server.use(http.get(at('/session'), () => problem(401, 'Sign in first.')));

describe('signing in', () => {
  beforeEach(signedOut);
  afterEach(() => {
    location.hash = '';
  });

  it('takes the code from the address, exchanges it and leaves none behind', async () => {
    const sent: unknown[] = [];
    server.use(
      http.post(at('/session'), async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json(session);
      }),
    );
    location.hash = '#code=abcdefghijklmnopqrstuvwxyz';
    const { findByRole } = open('/');
    expect(await findByRole('heading', { name: 'Studies' })).toBeVisible();
    expect(sent).toEqual([{ code: 'abcdefghijklmnopqrstuvwxyz' }]);
    expect(location.hash).toBe('');
  });

  it('says why a link does not work, and lets an account sign in instead', async () => {
    server.use(
      http.post(at('/session'), async ({ request }) => {
        const body = (await request.json()) as { code?: string };
        return body.code ? problem(401, 'This link is used up.') : HttpResponse.json(session);
      }),
    );
    location.hash = '#code=abcdefghijklmnopqrstuvwxyz';
    const { findByRole, getByLabelText, user } = open('/');
    expect(await findByRole('alert')).toHaveTextContent('This link is used up.');
    await user.type(getByLabelText('Email'), 'alice@example.org');
    await user.type(getByLabelText('Password'), 'correct horse');
    await user.click(await findByRole('button', { name: 'Sign in' }));
    expect(await findByRole('heading', { name: 'Studies' })).toBeVisible();
  });

  it('has no faults of access', async () => {
    const { findByRole, container } = open('/');
    await findByRole('heading', { name: 'Sign in' });
    expect(await violations(container)).toEqual([]);
  });
});
