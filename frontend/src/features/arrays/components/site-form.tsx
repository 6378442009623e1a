import { quantity } from '../../../lib/format';
import type { CarbonBasis, Site } from '../types';
import { NumberRow, Part, SelectRow, TextRow } from './fields';

const BASES: { value: CarbonBasis; label: string }[] = [
  { value: 'direct_average', label: 'at the stack, average' },
  { value: 'life_cycle_average', label: 'over the life cycle, average' },
  { value: 'direct_marginal', label: 'at the stack, marginal' },
  { value: 'life_cycle_marginal', label: 'over the life cycle, marginal' },
];

interface SiteFormProps {
  site: Site;
  onChange: (site: Site) => void;
}

/** What energy costs and emits where the arrays stand. */
export function SiteForm({ site, onChange }: SiteFormProps) {
  return (
    <Part
      title="Cost and carbon, for all"
      summary={quantity(site.usd_per_kwh, 'USD/kWh')}
      open={false}
    >
      <NumberRow
        label="Electricity"
        unit="USD/kWh"
        hint="The default is the plan's: United States, commercial."
        value={site.usd_per_kwh}
        onChange={(next) => next !== null && onChange({ ...site, usd_per_kwh: next })}
      />
      <NumberRow
        label="Carbon of the grid"
        unit="g/kWh"
        hint="The default is Ember's for the United States in 2024, life cycle."
        value={site.gco2e_per_kwh}
        empty="unknown"
        onChange={(gco2e_per_kwh) =>
          // Another intensity is of another year and place until they are entered.
          onChange({ ...site, gco2e_per_kwh, carbon_year: null, carbon_zone: null })
        }
      />
      <NumberRow
        label="of the year"
        value={site.carbon_year}
        least={1990}
        most={2100}
        whole
        empty="not said"
        onChange={(carbon_year) => onChange({ ...site, carbon_year })}
      />
      <TextRow
        label="of the grid zone"
        value={site.carbon_zone ?? ''}
        placeholder="not said"
        onChange={(zone) => onChange({ ...site, carbon_zone: zone.trim() === '' ? null : zone })}
      />
      <SelectRow
        label="Counted"
        value={site.carbon_basis}
        choices={BASES}
        onChange={(carbon_basis) => onChange({ ...site, carbon_basis })}
      />
      <NumberRow
        label="Embodied carbon per drive"
        unit="kg CO₂e"
        hint="Empty: only the energy is counted."
        value={site.drive_kgco2e}
        empty="not counted"
        onChange={(drive_kgco2e) => onChange({ ...site, drive_kgco2e })}
      />
    </Part>
  );
}
