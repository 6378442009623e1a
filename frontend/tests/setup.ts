import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { server } from './server';

// A busy machine is slow, not wrong.
configure({ asyncUtilTimeout: 8000 });

// What jsdom leaves out of a browser.
class Observer {
  constructor(private readonly callback: (entries: unknown[]) => void) {}
  observe(): void {
    this.callback([{ isIntersecting: true, contentRect: { width: 800 } }]);
  }
  disconnect(): void {
    // Nothing is observed.
  }
  unobserve(): void {
    // Nothing is observed.
  }
}
vi.stubGlobal('IntersectionObserver', Observer);
vi.stubGlobal('ResizeObserver', Observer);
vi.stubGlobal('requestIdleCallback', (callback: () => void) => setTimeout(callback, 0));
vi.stubGlobal('cancelIdleCallback', clearTimeout);
vi.stubGlobal('scrollTo', () => undefined);
vi.stubGlobal('matchMedia', (query: string) => ({
  matches: false,
  media: query,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}));
Element.prototype.scrollIntoView = () => undefined;

vi.mock('plotly.js-cartesian-dist-min', () => ({
  default: {
    react: vi.fn(async (node: HTMLElement, _data: unknown, layout: object) =>
      Object.assign(node, { layout, on: () => undefined, removeAllListeners: () => undefined }),
    ),
    relayout: vi.fn(),
    purge: vi.fn(),
    toImage: vi.fn(async () => 'data:image/png;base64,'),
  },
}));

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  cleanup();
  server.resetHandlers();
  localStorage.clear();
  sessionStorage.clear();
});
afterAll(() => server.close());
