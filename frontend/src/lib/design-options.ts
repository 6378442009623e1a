import type { components } from '../api-types/schema';

interface DesignOption {
  option: components['schemas']['ProposalOptionOptionEnum'];
  title: string;
  about: string;
  rented: boolean;
}

/** What a design can be proposed as, for some work. */
export const DESIGN_OPTIONS: readonly DesignOption[] = [
  { option: 'aws', title: 'AWS', about: 'Instances, storage, egress, support', rented: true },
  { option: 'azure', title: 'Azure', about: 'Instances, storage, egress, support', rented: true },
  {
    option: 'gcp',
    title: 'Google Cloud',
    about: 'Instances, storage, egress, support',
    rented: true,
  },
  {
    option: 'owned',
    title: 'Own servers in colocation',
    about: 'Hardware, space, power, transit, spares, staff',
    rented: false,
  },
  {
    option: 'coded',
    title: 'Own storage cluster',
    about: 'Data coded 8+3 from 12 nodes on, beside own servers for the rest',
    rented: false,
  },
  {
    option: 'shelves',
    title: 'Own RAID-6 shelves',
    about: 'Data on shelves of hard disks, beside own servers for the rest',
    rented: false,
  },
  {
    option: 'hybrid',
    title: 'Own base, rented peaks',
    about: 'Own servers for the base, the first provider for the rest',
    rented: false,
  },
];
