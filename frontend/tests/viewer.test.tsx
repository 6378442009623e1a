import { http, HttpResponse } from 'msw';
import { violations } from './axe';
import { page, session } from './data';
import { open } from './render';
import { at, server } from './server';

const entry = {
  slug: 'ours',
  kind: 'instance',
  title: 'Ours',
  is_own: true,
  revision: 1,
  updated_at: '2026-11-20T10:00:00Z',
  values: {},
};

function serve(role: string) {
  const empty = () => HttpResponse.json(page([]));
  const formats = () => HttpResponse.json({ sentence: 'Bills.', formats: [] });
  server.use(
    http.get(at('/session'), () =>
      HttpResponse.json({ ...session, workspace: { ...session.workspace, role } }),
    ),
    http.get(at('/catalogue/kinds'), () =>
      HttpResponse.json(page([{ kind: 'instance', entries_count: 1 }])),
    ),
    http.get(at('/catalogue/facets'), () =>
      HttpResponse.json({ provider: {}, region: {}, price_on: {} }),
    ),
    http.get(at('/catalogue/entries'), () => HttpResponse.json(page([entry]))),
    http.get(at('/catalogue/entries/:slug'), () => HttpResponse.json(entry)),
    http.get(at('/traces'), empty),
    http.get(at('/traces/formats'), formats),
    http.get(at('/imports'), empty),
    http.get(at('/imports/formats'), formats),
  );
}

const PAGES = [
  ['/catalogue', /^Ours$/, ['Add an entry', 'From a table']],
  ['/catalogue?entry=ours', /added by this workspace/, ['Edit', 'Delete']],
  ['/traces', /^No trace yet/, ['Upload a trace']],
  ['/imports', /^Nothing imported yet/, ['Import a file', 'Fetch prices']],
] as const;

describe('pages that hold what a workspace has', () => {
  it.each(PAGES)(
    '%s is read-only for a viewer, who is told why',
    async (address, loaded, buttons) => {
      serve('viewer');
      const { findByText, queryByRole, container } = open(address);
      expect(await findByText(/^You are a viewer of Alice: you can/)).toBeInTheDocument();
      await findByText(loaded);
      for (const name of buttons) expect(queryByRole('button', { name })).toBeNull();
      expect(await violations(container)).toEqual([]);
    },
  );

  it.each(PAGES)('%s can be changed by an editor', async (address, _, buttons) => {
    serve('editor');
    const { findByRole, queryByText } = open(address);
    for (const name of buttons) expect(await findByRole('button', { name })).toBeInTheDocument();
    expect(queryByText(/^You are a viewer/)).toBeNull();
  });
});
