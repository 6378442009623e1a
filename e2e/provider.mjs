// A provider of OpenID Connect for tests: `node provider.mjs PORT CLIENT SECRET CALLBACK...`.
// Who signs in is what was last put to /who, as JSON; each start has keys of its own.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const [port, client, secret, ...callbacks] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = {
  ...privateKey.export({ format: 'jwk' }),
  use: 'sig',
  alg: 'RS256',
};
const people = new Map();
let who = { sub: 'nobody' };

const provider = new Provider(issuer, {
  clients: [client, `${client}-other`].map((client_id) => ({
    client_id,
    client_secret: secret,
    redirect_uris: callbacks,
  })),
  jwks: { keys: [key] },
  cookies: { keys: [randomBytes(16).toString('hex')] },
  pkce: { required: () => true },
  claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'] },
  features: { devInteractions: { enabled: false } },
  ttl: {
    Session: 3600,
    Grant: 3600,
    Interaction: 600,
    AccessToken: 600,
    IdToken: 600,
  },
  interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
  findAccount: (_, sub) => ({
    accountId: sub,
    claims: () => ({ sub, ...people.get(sub) }),
  }),
});

async function letIn(request, response) {
  const { params } = await provider.interactionDetails(request, response);
  if (who.denied) {
    await provider.interactionFinished(request, response, {
      error: 'access_denied',
    });
    return;
  }
  const grant = new provider.Grant({
    accountId: who.sub,
    clientId: params.client_id,
  });
  grant.addOIDCScope('openid email');
  const consent = { grantId: await grant.save() };
  // Not remembered: the next sign-in is who is put then.
  const login = { accountId: who.sub, remember: false };
  await provider.interactionFinished(request, response, { login, consent });
}

async function know(request, response) {
  const parts = [];
  for await (const part of request) parts.push(part);
  who = JSON.parse(Buffer.concat(parts).toString());
  people.set(who.sub, who);
  response.writeHead(204).end();
}

createServer((request, response) => {
  const answer = request.url.startsWith('/interaction/')
    ? letIn(request, response)
    : request.url === '/who'
      ? know(request, response)
      : provider.callback()(request, response);
  Promise.resolve(answer).catch((error) => {
    console.error(error);
    response.writeHead(500).end();
  });
}).listen(Number(port), '127.0.0.1', () => console.log(`listening at ${issuer}`));
