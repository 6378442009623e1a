import { copyText } from './copy';

afterEach(() => vi.unstubAllGlobals());

test('a refused or missing clipboard is told, not thrown', async () => {
  vi.stubGlobal('navigator', {});
  expect(await copyText('a')).toBe(false);
  const refuse = () => Promise.reject(new Error('NotAllowedError'));
  vi.stubGlobal('navigator', { clipboard: { writeText: refuse } });
  expect(await copyText('a')).toBe(false);
  vi.stubGlobal('navigator', { clipboard: { writeText: () => Promise.resolve() } });
  expect(await copyText('a')).toBe(true);
});
