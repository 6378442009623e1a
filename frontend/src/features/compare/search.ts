/** What the address of a comparison says, so that it can be shared as it stands. */
export interface CompareSearch {
  /** Slider positions: `designs/D/staff_fte~2.5!assumptions/pue~1.2`. */
  x?: string;
  from?: string;
  to?: string;
  npv?: boolean;
  /** Which part of the comparison is shown; the overview without it. */
  view?: View;
}

/** The parts of a comparison, each a question of its own. */
export const VIEWS = {
  cost: 'Cost',
  risk: 'Risk',
  capacity: 'Capacity',
  energy: 'Energy and carbon',
  trade: 'Trade-offs',
  check: 'Check',
} as const;
export type View = keyof typeof VIEWS;

export type Moves = Readonly<Record<string, number>>;

const LETTER = /^[A-H]$/;

export function compareSearch(search: Record<string, unknown>): CompareSearch {
  const letter = (value: unknown) =>
    typeof value === 'string' && LETTER.test(value) ? value : undefined;
  return {
    x: typeof search.x === 'string' && search.x ? search.x : undefined,
    from: letter(search.from),
    to: letter(search.to),
    npv: typeof search.npv === 'boolean' ? search.npv : undefined,
    view:
      typeof search.view === 'string' && search.view in VIEWS ? (search.view as View) : undefined,
  };
}

/** The moved inputs as text for the address; nothing when none is moved. */
export function writeMoves(moves: Moves): string | undefined {
  const entries = Object.entries(moves);
  if (entries.length === 0) return undefined;
  return entries.map(([pointer, value]) => `${pointer.slice(1)}~${value}`).join('!');
}

export function readMoves(text: string | undefined): Moves {
  const moves: Record<string, number> = {};
  for (const part of (text ?? '').split('!')) {
    const at = part.lastIndexOf('~');
    const value = Number(part.slice(at + 1));
    if (at > 0 && Number.isFinite(value) && part.slice(at + 1) !== '') {
      moves[`/${part.slice(0, at)}`] = value;
    }
  }
  return moves;
}
