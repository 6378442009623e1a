import { chromium } from '@playwright/test';
import { launchOptions } from './browser.mjs';
const base = process.env.AMPACITY_URL; const code = process.argv[2]; const out = '/work/wt/shots/team-';
const browser = await chromium.launch(await launchOptions());
const ctx = await browser.newContext({ baseURL: base, locale: 'en-GB', viewport: { width: 1400, height: 900 } });
const page = await ctx.newPage();
page.on('console', (m) => m.type() === 'error' && console.log('CONSOLE', m.text()));
await page.goto(`/sign-in#code=${code}`); await page.getByRole('navigation', { name: 'Main' }).waitFor({ timeout: 60000 });
const shot = async (p, name, path) => {
  for (const [scheme, width] of [['light', 1400], ['dark', 420]]) {
    await p.emulateMedia({ colorScheme: scheme }); await p.setViewportSize({ width, height: 900 });
    if (path) await p.goto(path);
    await p.waitForTimeout(3000);
    const sw = await p.evaluate(() => document.documentElement.scrollWidth);
    if (sw > width) console.log('OVERFLOW', name, width, sw);
    await p.screenshot({ path: `${out}${name}-${scheme}-${width}.png`, fullPage: true });
  }
  console.log(name);
};
const csrf = async () => (await ctx.cookies()).find((c) => c.name === 'csrftoken').value;
const post = async (path, data, method = 'POST') => (await ctx.request.fetch(`/api/v1/${path}`, { method, data, headers: { 'X-CSRFToken': await csrf() } }));
const studies = await (await ctx.request.get('/api/v1/studies')).json();
const study = studies.results.find((s) => s.slug === 'rent-or-own');
await post(`studies/${study.id}/comments`, { text: 'Who pays for support in year 3?', letter: 'A' });
await post(`studies/${study.id}/comments`, { text: 'Is this with the discount?', place: 'Total cost, B', place_title: 'Total cost, B' });
await post('invitations', { role: 'viewer', email: 'vera@example.org' });
console.log((await post('webhooks', { url: 'https://example.org/ampacity' })).status());
for (let i = 1; i <= 5; i++) {
  await post(`studies/${study.id}`, { seed: 5000 + i }, 'PATCH');
  const t = Date.now();
  for (;;) {
    const r = await (await ctx.request.get(`/api/v1/runs?study=${study.id}&limit=1`)).json();
    const detail = r.results[0] && await (await ctx.request.get(`/api/v1/runs/${r.results[0].id}`)).json();
    if (detail && detail.params.seed === 5000 + i && detail.state === 'succeeded') break;
    if (Date.now() - t > 30000) { console.log('no run', detail?.state, detail?.params.seed); break; }
    await new Promise((d) => setTimeout(d, 50));
  }
  console.log('saved to stored', Date.now() - t, 'ms');
}
await shot(page, 'comments', `/studies/${study.id}/comments`);
await shot(page, 'audit', '/audit');
await shot(page, 'mail', '/mail');
await shot(page, 'settings', '/settings');
const link = await (async () => { await page.goto('/mail'); const a = page.getByRole('link', { name: /join#/ }).first(); await a.waitFor(); return a.getAttribute('href'); })();
const g = await (await browser.newContext({ baseURL: base })).newPage();
await g.goto('/'); await g.getByRole('button', { name: 'Forgot your password?' }).waitFor(); await shot(g, 'sign-in', null);
await g.setViewportSize({ width: 1400, height: 900 });
await g.getByRole('button', { name: 'Forgot your password?' }).click(); await shot(g, 'forgot', null);
await g.goto('/welcome#nothing'); await g.waitForTimeout(1500); await shot(g, 'welcome-over', null);
await g.goto(link); await shot(g, 'join', null);
await browser.close();
