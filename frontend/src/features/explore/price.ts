import { read } from '../../lib/pointer';
import type { Study } from '../../lib/types';

export interface EnergyPrice {
  usd_per_kwh: number | null;
  pue: number | null;
}

/** What the study says of a kilowatt hour: its flat price and the PUE; null where it says none. */
export function priceOf(study: Study | undefined): EnergyPrice {
  const value = (pointer: string) => {
    const held = read(study?.assumptions, pointer);
    return typeof held === 'number' ? held : null;
  };
  return {
    usd_per_kwh: value('/electricity/usd_per_kwh') ?? value('/electricity/base_usd_per_kwh'),
    pue: value('/pue'),
  };
}
