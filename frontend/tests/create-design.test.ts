import { http, HttpResponse } from 'msw';
import { at, server } from './server';
import { createDesign } from '../src/lib/create-design';

it('numbers the title of a design that the study has by that name', async () => {
  const designs = [{ title: 'Array A' }, { title: 'Rented' }];
  const sent: unknown[] = [];
  server.use(
    http.get(at('/studies/one'), () => HttpResponse.json({ designs })),
    http.post(at('/studies/one/designs'), async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ letter: 'C' }, { status: 201 });
    }),
  );
  await createDesign('one', { title: 'Array A', kind: 'disk_array', spec: {} });
  await createDesign('one', { title: 'Array B', kind: 'disk_array', spec: {} });
  expect(sent).toMatchObject([{ title: 'Array A 2' }, { title: 'Array B' }]);
});
