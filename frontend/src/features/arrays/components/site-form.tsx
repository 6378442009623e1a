import { quantity } from '../../../lib/format';
import type { Site } from '../types';
import { NumberRow, Part } from './fields';

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
        onChange={(gco2e_per_kwh) => onChange({ ...site, gco2e_per_kwh })}
      />
      <NumberRow
        label="Making one drive"
        unit="kg CO₂e"
        hint="Empty: only the energy is counted."
        value={site.drive_kgco2e}
        empty="not counted"
        onChange={(drive_kgco2e) => onChange({ ...site, drive_kgco2e })}
      />
    </Part>
  );
}
