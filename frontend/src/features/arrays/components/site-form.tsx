import { quantity } from '../../../lib/format';
import type { JsonSchema } from '../../../lib/schema';
import { DESIGN } from '../api/design';
import { SITE } from '../presets';
import type { Site } from '../types';
import { Part } from './fields';
import { SchemaForm } from './schema-form';

interface SiteFormProps {
  site: Site;
  onChange: (site: Site) => void;
}

/** What the plan asks of a place, under the names of this page. */
function part({ properties, $defs }: JsonSchema): JsonSchema {
  const carbon = $defs?.Carbon?.properties;
  return {
    properties: {
      usd_per_kwh: {
        ...properties?.energy_usd_per_kwh,
        default: SITE.usd_per_kwh,
        default_source: { source: 'The plan’s: United States, commercial' },
      },
      gco2e_per_kwh: { ...carbon?.gco2e_per_kwh },
      carbon_year: { ...carbon?.year },
      carbon_zone: { ...carbon?.zone },
      carbon_basis: { ...carbon?.basis },
      drive_kgco2e: { ...properties?.drive_kgco2e },
    },
  };
}

/** Another intensity is of another year and place until they are entered. */
const fit = (before: Site, next: Site): Site =>
  before.gco2e_per_kwh === next.gco2e_per_kwh
    ? next
    : { ...next, carbon_year: null, carbon_zone: null };

/** What energy costs and emits where the arrays stand. */
export function SiteForm({ site, onChange }: SiteFormProps) {
  const price = quantity(site.usd_per_kwh, 'USD/kWh');
  return (
    <Part title="Cost and carbon, for all" summary={price} open={false}>
      <SchemaForm
        name="site"
        model={DESIGN}
        part={part}
        value={site}
        fit={fit}
        onChange={onChange}
      />
    </Part>
  );
}
