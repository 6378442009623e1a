import { Offline, Problem } from '../../lib/problem';
import { Draft, type Shelf } from './draft';

interface Doc {
  revision: number;
  spec: Record<string, number>;
}

function shelf(): Shelf & { kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

const initial: Doc = { revision: 1, spec: { staff: 2 } };

describe('a draft', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  it('saves after a pause, over the revision that it knows', async () => {
    const save = vi.fn(async (edits: Partial<Doc>, revision: number) => ({
      ...initial,
      ...edits,
      revision: revision + 1,
    }));
    const draft = new Draft<Doc>({ key: 'd', initial, shelf: shelf(), save });
    draft.edit({ spec: { staff: 3 } });
    draft.edit({ spec: { staff: 4 } });
    expect(draft.state.document.spec).toEqual({ staff: 4 });
    await vi.runAllTimersAsync();
    expect(save.mock.calls).toEqual([[{ spec: { staff: 4 } }, 1]]);
    expect(draft.state).toMatchObject({
      status: 'saved',
      document: { revision: 2, spec: { staff: 4 } },
    });
  });

  it('says that the session has ended, and sends what was typed after signing in', async () => {
    const place = shelf();
    const save = () => Promise.reject(new Problem(401, { title: 'Sign in.' }));
    const ended = new Draft<Doc>({ key: 'd', initial, shelf: place, save });
    ended.edit({ spec: { staff: 7 } });
    await vi.advanceTimersByTimeAsync(700);
    expect(ended.state.status).toBe('signed_out');
    expect(ended.state.document.spec).toEqual({ staff: 7 });

    const saved = vi.fn(async (edits: Partial<Doc>) => ({ ...initial, ...edits, revision: 2 }));
    const again = new Draft<Doc>({ key: 'd', initial, shelf: place, save: saved });
    await vi.runAllTimersAsync();
    expect(saved).toHaveBeenCalledOnce();
    expect(again.state).toMatchObject({ status: 'saved', document: { spec: { staff: 7 } } });
  });

  it('keeps what is typed until it is acknowledged, and sends it after a reload', async () => {
    const place = shelf();
    const offline = new Draft<Doc>({
      key: 'd',
      initial,
      shelf: place,
      save: () => Promise.reject(new Offline()),
    });
    offline.edit({ spec: { staff: 5 } });
    await vi.advanceTimersByTimeAsync(700);
    expect(offline.state.status).toBe('offline');
    expect(place.kept.size).toBe(1);

    const save = vi.fn(async (edits: Partial<Doc>, revision: number) => ({
      ...initial,
      ...edits,
      revision: revision + 1,
    }));
    const reloaded = new Draft<Doc>({ key: 'd', initial, shelf: place, save });
    expect(reloaded.state.document.spec).toEqual({ staff: 5 });
    await vi.advanceTimersByTimeAsync(10);
    expect(save).toHaveBeenCalledWith({ spec: { staff: 5 } }, 1);
    expect(place.kept.size).toBe(0);
  });

  it('tries again by itself when the connection is back', async () => {
    const save = vi
      .fn<(edits: Partial<Doc>, revision: number) => Promise<Doc>>()
      .mockRejectedValueOnce(new Offline())
      .mockResolvedValueOnce({ revision: 2, spec: { staff: 6 } });
    const draft = new Draft<Doc>({ key: 'd', initial, shelf: shelf(), save });
    draft.edit({ spec: { staff: 6 } });
    await vi.advanceTimersByTimeAsync(3000);
    expect(save).toHaveBeenCalledTimes(2);
    expect(draft.state.status).toBe('saved');
  });

  it('shows what another saved, and saves over it only when asked to', async () => {
    const current = { revision: 7, spec: { staff: 9 } };
    const difference = [{ pointer: '/spec/staff', stored: 9, sent: 3 }];
    const save = vi
      .fn<(edits: Partial<Doc>, revision: number) => Promise<Doc>>()
      .mockRejectedValueOnce(
        new Problem(412, { detail: 'Changed elsewhere.', current, difference } as object),
      )
      .mockImplementation(async (edits, revision) => ({
        ...current,
        ...edits,
        revision: revision + 1,
      }));
    const draft = new Draft<Doc>({ key: 'd', initial, shelf: shelf(), save });
    draft.edit({ spec: { staff: 3 } });
    await vi.runAllTimersAsync();
    expect(draft.state.conflict?.changes).toEqual([
      { pointer: '/spec/staff', before: 9, after: 3 },
    ]);
    expect(save).toHaveBeenCalledTimes(1);
    draft.keepMine();
    await vi.runAllTimersAsync();
    expect(save).toHaveBeenLastCalledWith({ spec: { staff: 3 } }, 7);
    expect(draft.state).toMatchObject({ status: 'saved', conflict: null });
  });

  it.each([false, true])(
    'keeps of mine what I changed, only that (reloaded: %s)',
    async (isReloaded) => {
      const loaded = { revision: 1, spec: { staff: 2, spares: 1, price: 5 } };
      const current = { revision: 7, spec: { staff: 2, spares: 4, price: 6, racks: 8 } };
      const difference = [{ pointer: '/spec/spares', stored: 4, sent: 1 }];
      const save = vi
        .fn<(edits: Partial<Doc>, revision: number) => Promise<Doc>>()
        .mockRejectedValueOnce(new Problem(412, { current, difference } as object))
        .mockImplementation(async (edits) => ({ ...current, ...edits, revision: 8 }));
      const place = shelf();
      const edited = { spec: { staff: 3, spares: 1, price: 9 } };
      let draft = new Draft<Doc>({ key: 'd', initial: loaded, shelf: place, save });
      draft.edit(edited);
      if (isReloaded) {
        // The page went before it saved; what it opens with is what another saved.
        draft = new Draft<Doc>({ key: 'd', initial: current, shelf: place, save });
      }
      await vi.advanceTimersByTimeAsync(650);
      expect(draft.state.conflict?.changes).toEqual([
        { pointer: '/spec/staff', before: 2, after: 3 },
        { pointer: '/spec/price', before: 6, after: 9 },
      ]);
      draft.keepMine();
      await vi.runAllTimersAsync();
      const both = { staff: 3, spares: 4, price: 9, racks: 8 };
      expect(save).toHaveBeenLastCalledWith({ spec: both }, 7);
      expect(draft.state.document.spec).toEqual(both);
    },
  );

  it('asks nothing where another saved the same', async () => {
    const current = { revision: 7, spec: { staff: 3, spares: 4 } };
    const place = shelf();
    const difference = [{ pointer: '/spec/spares', stored: 4, sent: 1 }];
    const save = () => Promise.reject(new Problem(412, { current, difference } as object));
    const initialNow = { revision: 1, spec: { staff: 2, spares: 1 } };
    const draft = new Draft<Doc>({ key: 'd', initial: initialNow, shelf: place, save });
    draft.edit({ spec: { staff: 3, spares: 1 } });
    await vi.runAllTimersAsync();
    expect(draft.state).toMatchObject({ status: 'saved', document: current, conflict: null });
    expect(place.kept.size).toBe(0);
  });

  it('sees that its own save arrived, though the answer was lost', async () => {
    const place = shelf();
    const current = { revision: 2, spec: { staff: 3 } };
    const save = () => Promise.reject(new Problem(412, { current, difference: [] } as object));
    const draft = new Draft<Doc>({ key: 'd', initial, shelf: place, save });
    draft.edit({ spec: { staff: 3 } });
    await vi.runAllTimersAsync();
    expect(draft.state).toMatchObject({ status: 'saved', document: current, conflict: null });
    expect(place.kept.size).toBe(0);
  });

  it('gives way to what another saved when asked to', async () => {
    const current = { revision: 7, spec: { staff: 9 } };
    const place = shelf();
    const difference = [{ pointer: '/spec/staff', stored: 9, sent: 3 }];
    const save = () => Promise.reject(new Problem(412, { current, difference } as object));
    const draft = new Draft<Doc>({ key: 'd', initial, shelf: place, save });
    draft.edit({ spec: { staff: 3 } });
    await vi.runAllTimersAsync();
    draft.takeTheirs();
    expect(draft.state.document).toEqual(current);
    expect(place.kept.size).toBe(0);
  });

  it('does not lose what is typed while a save is on its way', async () => {
    let answer: (doc: Doc) => void = () => undefined;
    const save = vi.fn<(edits: Partial<Doc>, revision: number) => Promise<Doc>>(
      () => new Promise((resolve) => (answer = resolve)),
    );
    const draft = new Draft<Doc>({ key: 'd', initial, shelf: shelf(), save });
    draft.edit({ spec: { staff: 3 } });
    await vi.advanceTimersByTimeAsync(700);
    draft.edit({ spec: { staff: 4 } });
    answer({ revision: 2, spec: { staff: 3 } });
    await vi.advanceTimersByTimeAsync(700);
    expect(draft.state.document.spec).toEqual({ staff: 4 });
    expect(save).toHaveBeenLastCalledWith({ spec: { staff: 4 } }, 2);
  });
});
