import { Problem } from './problem';
import { makeClient, mayPass } from './query-client';

test('what is refused for a time is asked again after that time, and not for ever', async () => {
  vi.useFakeTimers();
  const asked = vi.fn<() => Promise<string>>();
  asked.mockRejectedValueOnce(new Problem(429, { detail: 'Too many.' }, 7));
  asked.mockResolvedValueOnce('an answer');
  const query = makeClient().fetchQuery({ queryKey: ['a'], queryFn: asked, retry: mayPass });
  await vi.advanceTimersByTimeAsync(6900);
  expect(asked).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(await query).toBe('an answer');
  vi.useRealTimers();
});

test.each([
  [0, new Problem(429, {}, 1), true],
  [99, new Problem(429, {}, 1), false],
  [0, new Problem(429, {}), false],
  [0, new Problem(422, {}, 1), false],
  [0, new Error('x'), false],
])('after %d failures', (count, error, may) => {
  expect(mayPass(count, error)).toBe(may);
});
