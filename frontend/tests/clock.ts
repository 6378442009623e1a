// Files share a thread, and with it its clock: each test begins and ends with the real one.
beforeEach(() => {
  expect(vi.isFakeTimers(), 'the clock was faked before this test: fake it in a beforeEach').toBe(
    false,
  );
});
afterEach(() => {
  vi.useRealTimers();
});
