import type { Outlook } from '../result';

/** An array as its model says that it is drawn. */
export type Drawn = Outlook['drawn'];
type DrawnDisk = Drawn['groups'][number]['disks'][number];
export type Chunk = DrawnDisk['chunks'][number];

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface ChunkShape extends Box {
  chunk: Chunk;
}

export interface DiskShape extends Box {
  disk: number;
  state: DrawnDisk['state'];
  /** Where the platter or the chips are drawn. */
  body: Box;
  chunks: ChunkShape[];
}

export interface Picture {
  width: number;
  height: number;
  /** Whether there are too many disks to show what lies on each. */
  dense: boolean;
  cache: Box | null;
  groups: Box[];
  disks: DiskShape[];
  /** From the cache, or from above, down to each row of disks. */
  wires: { x: number; top: number; bottom: number }[];
  bus: { y: number; left: number; right: number }[];
}

const PAD = 8;
const CACHE_HEIGHT = 34;
const DROP = 16;
const CHUNK_HEIGHT = 17;
const WIDEST = 76;
const NARROWEST = 40;
const SMALL = 26;
/** Of more disks than `MANY`. */
const SMALLEST = 18;
const MANY = 32;
/** Between rows of small disks, which hang on one wire. */
const CLOSE = 12;

interface Grid {
  dense: boolean;
  size: number;
  gap: number;
  groupGap: number;
  rows: number[][][];
}

/** Breaks groups into rows that fit; a group that is wider than a row is broken too. */
function rowsOf(groups: number[][], perRow: number): number[][][] {
  const rows: number[][][] = [];
  let room = 0;
  for (const group of groups) {
    for (let from = 0; from < group.length; from += perRow) {
      const part = group.slice(from, from + perRow);
      if (part.length > room) {
        rows.push([]);
        room = perRow;
      }
      rows.at(-1)?.push(part);
      room -= part.length;
    }
  }
  return rows;
}

function gridOf(groups: number[][], total: number, width: number): Grid {
  const inner = width - 2 * PAD;
  const gaps = { gap: 8, groupGap: 20 };
  const needed = (count: number) =>
    count * NARROWEST + (count - 1) * gaps.gap + (groups.length - 1) * 12 + 12;
  if (needed(total) <= inner || total <= 4) {
    const free =
      inner - 12 - (total - groups.length) * gaps.gap - (groups.length - 1) * gaps.groupGap;
    const size = Math.max(24, Math.min(WIDEST, free / total));
    return { dense: false, size, ...gaps, rows: [groups] };
  }
  const half = Math.ceil(total / 2 / 2) * 2;
  if (needed(half) <= inner) {
    const rows = rowsOf(groups, half);
    const widest = Math.max(...rows.map((row) => row.length));
    const free = inner - 12 - (half - widest) * gaps.gap - (widest - 1) * gaps.groupGap;
    return { dense: false, size: Math.max(24, Math.min(WIDEST, free / half)), ...gaps, rows };
  }
  const small = total > MANY ? SMALLEST : SMALL;
  const perRow = Math.max(2, Math.floor((inner - 12) / (small + 6) / 2) * 2);
  return { dense: true, size: small, gap: 4, groupGap: 10, rows: rowsOf(groups, perRow) };
}

/** Where they stand in two rows there is room for a few. */
function chunkRows(disks: readonly DrawnDisk[], rows: number): number {
  const most = Math.max(...disks.map(({ chunks }) => chunks.length));
  return rows > 1 ? Math.min(most, 3) : most;
}

function spread(row: number[][], grid: Grid, width: number): { disk: number; x: number }[] {
  const count = row.flat().length;
  const length =
    count * grid.size + (count - row.length) * grid.gap + (row.length - 1) * grid.groupGap;
  let x = (width - length) / 2;
  return row.flatMap((group) => {
    const placed = group.map((disk, at) => ({ disk, x: x + at * (grid.size + grid.gap) }));
    x += group.length * grid.size + (group.length - 1) * grid.gap + grid.groupGap;
    return placed;
  });
}

function chunksOf({ rows, y, body }: RowFrame, { chunks }: DrawnDisk, box: Box) {
  const top = y + body + 4;
  return chunks.slice(0, rows).map((chunk, row) => ({
    x: box.x + 4,
    y: top + row * (CHUNK_HEIGHT + 2),
    width: box.width - 8,
    height: CHUNK_HEIGHT,
    chunk,
  }));
}

function around(shapes: DiskShape[], group: number[]): Box | null {
  const inside = shapes.filter(({ disk }) => group.includes(disk));
  const first = inside[0];
  if (!first) return null;
  const left = Math.min(...inside.map(({ x }) => x));
  const right = Math.max(...inside.map(({ x, width }) => x + width));
  return { x: left - 6, y: first.y - 6, width: right - left + 12, height: first.height + 12 };
}

interface RowFrame {
  disks: readonly DrawnDisk[];
  grid: Grid;
  y: number;
  body: number;
  height: number;
  rows: number;
}

function shapeOf(frame: RowFrame, disk: number, x: number): DiskShape[] {
  const { disks, grid, y, body, height } = frame;
  const drawn = disks[disk];
  if (!drawn) return [];
  const box = { x, y, width: grid.size, height };
  const edge = grid.dense ? 2 : 4;
  return [
    {
      ...box,
      disk,
      state: drawn.state,
      body: { x: x + edge, y: y + edge, width: grid.size - 2 * edge, height: body - edge },
      chunks: chunksOf(frame, drawn, box),
    },
  ];
}

function wiresOf(shapes: readonly DiskShape[], width: number, y: number) {
  const wired = shapes
    .filter(({ state }) => state !== 'spare')
    .map((shape) => shape.x + shape.width / 2);
  const middle = width / 2;
  const bus =
    wired.length > 0
      ? [{ y: y - DROP, left: Math.min(...wired, middle), right: Math.max(...wired, middle) }]
      : [];
  return { bus, wires: wired.map((x) => ({ x, top: y - DROP, bottom: y })) };
}

/** Where everything of the drawing of an array goes, for a width in pixels. */
export function pictureOf(array: Drawn, width: number): Picture {
  const disks = array.groups.flatMap((group) => group.disks);
  let first = 0;
  const groups = array.groups.map((group) => group.disks.map(() => first++));
  const framed = new Set(groups.filter((_, at) => array.groups[at]?.is_framed).flat());
  const grid = gridOf(groups, disks.length, width);
  const cache = array.cache ? { x: PAD, y: 4, width: width - 2 * PAD, height: CACHE_HEIGHT } : null;
  const rows = grid.dense ? 0 : chunkRows(disks, grid.rows.length);
  const body = grid.dense ? grid.size * 1.15 : Math.min(52, grid.size * 0.9);
  const height = grid.dense ? body + 4 : body + 8 + rows * (CHUNK_HEIGHT + 2) + 4;
  const picture: Picture = {
    width,
    height: 0,
    dense: grid.dense,
    cache,
    groups: [],
    disks: [],
    wires: [],
    bus: [],
  };
  const between = grid.dense ? CLOSE : DROP + 18;
  let y = (cache ? cache.y + cache.height : 2) + DROP + 8;
  for (const row of grid.rows) {
    const frame = { disks, grid, y, body, height, rows };
    const shapes = spread(row, grid, width).flatMap(({ disk, x }) => shapeOf(frame, disk, x));
    picture.disks.push(...shapes);
    if (!grid.dense || row === grid.rows[0]) {
      const { bus, wires } = wiresOf(shapes, width, y);
      picture.bus.push(...bus);
      picture.wires.push(...wires);
    }
    const named = row.filter((group) => group.some((disk) => framed.has(disk)));
    picture.groups.push(...named.flatMap((group) => around(shapes, group) ?? []));
    y += height + between;
  }
  picture.height = y - between + 10;
  return picture;
}
