import { significant } from '../../../lib/format';
import { read, type JsonObject } from '../../../lib/pointer';
import type { JsonSchema } from '../../../lib/schema';
import type { Study } from '../../../lib/types';

export interface Carbon {
  gco2e_per_kwh: number;
  zone: string | null;
  year: number | null;
  basis: string | null;
}

export interface EnergyPrice {
  usd_per_kwh: number | null;
  pue: number | null;
  carbon: Carbon | null;
}

/** The study's values that a price of energy is made of. */
export const PRICED = ['/assumptions/electricity', '/assumptions/pue', '/assumptions/carbon'];

const text = (held: unknown) => (typeof held === 'string' && held !== '' ? held : null);

/** What the study says of a kilowatt hour: price, carbon and the PUE; null where it says none. */
export function priceOf(study: Study | undefined): EnergyPrice {
  const value = (pointer: string) => {
    const held = read(study?.assumptions, pointer);
    return typeof held === 'number' ? held : null;
  };
  const grams = value('/carbon/gco2e_per_kwh');
  return {
    usd_per_kwh: value('/electricity/usd_per_kwh') ?? value('/electricity/base_usd_per_kwh'),
    pue: value('/pue'),
    carbon:
      grams === null
        ? null
        : {
            gco2e_per_kwh: grams,
            zone: text(read(study?.assumptions, '/carbon/zone')),
            year: value('/carbon/year'),
            basis: text(read(study?.assumptions, '/carbon/basis')),
          },
  };
}

/** A study's price, PUE and carbon, where a model of a tool asks for them. */
export function pricedParams(study: Study | undefined, schema: JsonSchema): JsonObject {
  const { usd_per_kwh, pue, carbon } = priceOf(study);
  const said = {
    electricity_usd_per_kwh: usd_per_kwh,
    pue,
    carbon_gco2e_per_kwh: carbon?.gco2e_per_kwh ?? null,
  };
  return Object.fromEntries(
    Object.entries(said).filter(([key, value]) => value !== null && schema.properties?.[key]),
  );
}

const BASES: Record<string, string> = {
  direct_average: 'emissions of generation, mean',
  life_cycle_average: 'over the life cycle, mean',
  direct_marginal: 'emissions of generation, marginal',
  life_cycle_marginal: 'over the life cycle, marginal',
};

/** Where the carbon of a sentence comes from. */
export function carbonSource(carbon: Carbon): string {
  const { zone, year, basis } = carbon;
  const where = [zone, year === null ? null : String(year)].filter(Boolean).join(' ');
  const how = basis === null ? '' : (BASES[basis] ?? basis);
  const said = [where || 'year and zone not given', how].filter(Boolean).join(', ');
  return `Carbon: ${significant(carbon.gco2e_per_kwh)} g CO₂e/kWh (${said}).`;
}
