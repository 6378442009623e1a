import { pictureOf, type Drawn } from './geometry';

const LABELS = ['P0', '1', '2', '3'];

type State = Drawn['groups'][number]['disks'][number]['state'];

/** Groups of disks in these states, each with chunks. */
function drawn(groups: State[][], more: Partial<Drawn> = {}): Drawn {
  const chunks = LABELS.map((label) => ({ kind: 'data' as const, label, is_even: true }));
  return {
    says: 'An array.',
    groups: groups.map((states) => ({
      disks: states.map((state) => ({ state, chunks: state === 'spare' ? [] : chunks })),
      is_framed: states.length > 1,
    })),
    is_flash: false,
    has_copies: false,
    cache: null,
    cache_short: null,
    ...more,
  };
}

const awake = (count: number) => Array.from({ length: count }, (): State => 'awake');

describe('the drawing', () => {
  const WIDTHS = [260, 320, 420, 640, 900];

  it.each([1, 2, 4, 8, 16, 24, 48, 64])('keeps %i disks within its width and apart', (disks) => {
    for (const width of WIDTHS) {
      const picture = pictureOf(drawn([awake(disks)]), width);
      expect(picture.disks).toHaveLength(disks);
      for (const disk of picture.disks) {
        expect(disk.x).toBeGreaterThanOrEqual(0);
        expect(disk.x + disk.width).toBeLessThanOrEqual(width);
        expect(disk.y + disk.height).toBeLessThanOrEqual(picture.height);
      }
      picture.disks.forEach((one, at) => {
        const other = picture.disks[at + 1];
        if (other && other.y === one.y) expect(other.x).toBeGreaterThanOrEqual(one.x + one.width);
      });
    }
  });

  it('shows what lies on each disk where there is room', () => {
    const [first] = pictureOf(drawn([awake(4)]), 480).disks;
    expect(first?.chunks.map(({ chunk }) => chunk.label)).toEqual(LABELS);
    const [above] = pictureOf(drawn([awake(12)]), 420).disks;
    expect(above?.chunks).toHaveLength(3);
    expect(pictureOf(drawn([awake(64)]), 420).disks[0]?.chunks).toEqual([]);
  });

  it('puts the cache above the disks', () => {
    const picture = pictureOf(drawn([awake(4)], { cache: 'SSD cache' }), 400);
    const bottom = (picture.cache?.y ?? 0) + (picture.cache?.height ?? 0);
    expect(picture.cache).not.toBeNull();
    expect(picture.disks.every((disk) => disk.y > bottom)).toBe(true);
    expect(pictureOf(drawn([awake(4)]), 400).cache).toBeNull();
  });

  it('tells the sleeping, the lost and the spare, which hangs on no wire', () => {
    const states: State[] = ['awake', 'asleep', 'lost', 'rebuilt'];
    const picture = pictureOf(drawn([states, ['spare']]), 400);
    expect(picture.disks.map(({ state }) => state)).toEqual([...states, 'spare']);
    expect(picture.wires).toHaveLength(4);
  });

  it('frames groups, and no disk that stands alone', () => {
    const picture = pictureOf(drawn([awake(2), awake(2), ['spare']]), 480);
    expect(picture.groups).toHaveLength(2);
    const [first, second] = picture.groups;
    expect((first?.x ?? 0) + (first?.width ?? 0)).toBeLessThanOrEqual(second?.x ?? 0);
  });
});
