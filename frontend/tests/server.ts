import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { card, comparison, document, member, page, plan, run, session, study } from './data';

const API = '*/api/v1';

/** The server as the tests find it: somebody is signed in and has one study. */
export const server = setupServer(
  http.get(`${API}/studies/standing`, () => HttpResponse.json({ stale: [], asked: [] })),
  http.get(`${API}/session`, () => HttpResponse.json(session)),
  http.get(`${API}/service`, () => HttpResponse.json({ away: [] })),
  http.get(`${API}/studies`, () => HttpResponse.json(page([card]))),
  http.get(`${API}/studies/tags`, () => HttpResponse.json(page([]))),
  http.get(`${API}/studies/templates`, () => HttpResponse.json(page([]))),
  http.get(`${API}/studies/:id`, () => HttpResponse.json(study, { headers: { ETag: '"1"' } })),
  http.get(`${API}/studies/:id/document`, () => HttpResponse.json(document)),
  http.get(`${API}/models`, () => HttpResponse.json(page([plan]))),
  http.get(`${API}/models/:id`, () => HttpResponse.json(plan)),
  http.get(`${API}/models/:id/checks`, () => HttpResponse.json(page([]))),
  http.get(`${API}/studies/:id/comments`, () => HttpResponse.json(page([]))),
  http.get(`${API}/sign-up`, () =>
    HttpResponse.json({ sign_up: 'invitation', mail: true, openid: null }),
  ),
  http.get(`${API}/email`, () =>
    HttpResponse.json({
      email: session.user.email,
      verified_at: null,
      mail: true,
      sees_mail: true,
    }),
  ),
  http.get(`${API}/webhooks`, () => HttpResponse.json(page([]))),
  http.get(`${API}/runs`, () => HttpResponse.json(page([run]))),
  http.get(`${API}/usage`, () => HttpResponse.json(page([]))),
  http.get(`${API}/number-format`, () => HttpResponse.json({ number_format: '' })),
  http.get(`${API}/packs`, () => HttpResponse.json(page([]))),
  http.get(`${API}/packs/fields`, () => HttpResponse.json(page([]))),
  http.get(`${API}/reports`, () => HttpResponse.json(page([]))),
  http.get(`${API}/catalogue/snapshots`, () => HttpResponse.json(page([]))),
  http.get(`${API}/sessions`, () => HttpResponse.json(page([]))),
  http.get(`${API}/invitations`, () => HttpResponse.json(page([]))),
  http.get(`${API}/workspaces`, () => HttpResponse.json(page([session.workspace]))),
  http.get(`${API}/members`, () => HttpResponse.json(page([member]))),
  http.get(`${API}/members/groups`, () => HttpResponse.json(page([]))),
  http.get(`${API}/password`, () => HttpResponse.json({ is_set: false, may_set: true })),
  http.get(`${API}/two-step`, () =>
    HttpResponse.json({ is_on: false, has_password: true, recovery_left: 0 }),
  ),
  http.get(`${API}/tokens`, () => HttpResponse.json(page([]))),
  http.post(`${API}/evaluate`, () =>
    HttpResponse.json({
      model: 'plans.compare',
      version: '1.0.0',
      inputs_hash: 'abc',
      result: comparison,
    }),
  ),
);

export const at = (path: string) => `${API}${path}`;

export function problem(status: number, detail: string, more: object = {}) {
  return HttpResponse.json(
    { type: 'urn:ampacity:test', title: detail, status, detail, errors: [], ...more },
    { status },
  );
}
