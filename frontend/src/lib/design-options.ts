import options from '../api-types/design-options.json';
import type { components } from '../api-types/schema';

interface DesignOption {
  option: components['schemas']['ProposalOptionOptionEnum'];
  title: string;
  about: string;
  rented: boolean;
}

/** What a design can be proposed as, for some work. */
export const DESIGN_OPTIONS = options as readonly DesignOption[];
