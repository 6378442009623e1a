import { palette, type Theme } from '../../../lib/tokens';
import type { Cause } from '../result';
import { STATE_WORDS } from '../words';

/** From working to deep asleep, then what changing between them takes, then the cache. */
export const CAUSES: readonly Cause[] = [
  'active',
  'seek',
  'idle',
  'low_power_idle',
  'standby',
  'transition',
  'solid_state_cache',
];

const COLORS: Record<Theme, Record<Cause, string>> = {
  light: {
    active: '#0B5C94',
    seek: '#56A5DB',
    idle: '#9DB4C8',
    low_power_idle: '#C6D3DF',
    standby: '#E2E7ED',
    transition: '#E69F00',
    solid_state_cache: '#1B7F5C',
  },
  dark: {
    active: '#4BA3E0',
    seek: '#9AD4F7',
    idle: '#62778C',
    low_power_idle: '#475665',
    standby: '#333D48',
    transition: '#F0B429',
    solid_state_cache: '#4FC29A',
  },
};

export function causeFill(cause: Cause, theme: Theme): string {
  return COLORS[theme][cause];
}

export function causeName(cause: Cause): string {
  return cause === 'solid_state_cache' ? 'SSD cache' : STATE_WORDS[cause];
}

/** A thin edge between pieces, so that neighbours of like tone stay apart. */
export function pieceEdge(theme: Theme) {
  return { color: palette[theme].background, width: 1 };
}
