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

  it('asks for a one-time code after the password, and says when it is wrong', async () => {
    const sent: unknown[] = [];
    server.use(
      http.post(at('/session'), async ({ request }) => {
        const body = (await request.json()) as { otp?: string };
        sent.push(body);
        if (body.otp === '123456') return HttpResponse.json(session);
        return body.otp
          ? problem(401, 'The code is not right.')
          : problem(401, 'Enter the code.', { type: 'urn:ampacity:code_needed' });
      }),
    );
    const { findByRole, findByLabelText, getByLabelText, queryByRole, container, user } = open('/');
    await user.type(await findByLabelText('Email'), 'alice@example.org');
    await user.type(getByLabelText('Password'), 'correct horse');
    await user.click(await findByRole('button', { name: 'Sign in' }));
    await user.type(await findByLabelText('Code'), '000000');
    expect(queryByRole('alert')).toBeNull();
    expect(await violations(container)).toEqual([]);
    await user.click(await findByRole('button', { name: 'Sign in' }));
    expect(await findByRole('alert')).toHaveTextContent('The code is not right.');
    await user.clear(getByLabelText('Code'));
    await user.type(getByLabelText('Code'), '123456');
    await user.click(await findByRole('button', { name: 'Sign in' }));
    expect(await findByRole('heading', { name: 'Studies' })).toBeVisible();
    expect(sent.map((one) => (one as { otp?: string }).otp)).toEqual([
      undefined,
      '000000',
      '123456',
    ]);
  });

  it('goes to the sign-in provider, and takes its answer out of the address', async () => {
    const sent: unknown[] = [];
    server.use(
      http.get(at('/sign-up'), () =>
        HttpResponse.json({ sign_up: 'invitation', mail: false, openid: 'Example' }),
      ),
      http.post(at('/session/openid/answer'), async ({ request }) => {
        sent.push(await request.json());
        return problem(401, 'Confirm your address there.');
      }),
      http.post(at('/session/openid'), () => problem(424, 'The provider does not answer.')),
    );
    history.replaceState(null, '', '/openid?code=abc&state=xyz&iss=https%3A%2F%2Fop.example');
    const { findByRole, findByText, user } = open(location.pathname + location.search);
    expect(await findByRole('alert')).toHaveTextContent('Confirm your address there.');
    expect(sent).toEqual([{ state: 'xyz', code: 'abc', iss: 'https://op.example' }]);
    expect(location.search).toBe('');
    await user.click(await findByRole('button', { name: 'Sign in with Example' }));
    expect(await findByText('The provider does not answer.')).toBeVisible();
  });

  it('goes to the identity provider of SAML, and takes its answer likewise', async () => {
    const sent: unknown[] = [];
    const door = { sign_up: 'invitation', mail: false, openid: null, saml: 'Corporate' };
    server.use(
      http.get(at('/sign-up'), () => HttpResponse.json(door)),
      http.post(at('/session/saml/answer'), async ({ request }) => {
        sent.push(await request.json());
        return problem(401, 'Ask whoever runs it.');
      }),
      http.post(at('/session/saml'), () => problem(424, 'The provider does not answer.')),
    );
    history.replaceState(null, '', '/saml?state=xyz&code=abc');
    const { findByRole, findByText, user } = open(location.pathname + location.search);
    expect(await findByRole('alert')).toHaveTextContent('Ask whoever runs it.');
    expect(sent).toEqual([{ state: 'xyz', code: 'abc' }]);
    expect(location.search).toBe('');
    await user.click(await findByRole('button', { name: 'Sign in with Corporate' }));
    expect(await findByText('The provider does not answer.')).toBeVisible();
  });

  it('has no faults of access', async () => {
    const { findByRole, container } = open('/');
    await findByRole('heading', { name: 'Sign in' });
    expect(await violations(container)).toEqual([]);
  });
});

it('takes a code out of the address where somebody is signed in, without using it', async () => {
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
  expect(location.hash).toBe('');
  expect(sent).toEqual([]);
});
