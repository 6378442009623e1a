import { MISSING, percent, quantity } from '../../../lib/format';
import type { Fleet } from '../bill';
import { RowsTable } from './table';

const STATES: Record<string, string> = { on: 'on', off: 'off', template: 'template' };

/** Hosts by model, and virtual machines by state. */
export function FleetTables({ fleet }: { fleet: Fleet }) {
  return (
    <>
      <RowsTable
        title="Hosts"
        rows={fleet.hosts}
        columns={[
          { head: 'Model', cell: (row) => row.model || MISSING },
          { head: 'Processor', cell: (row) => row.cpu || MISSING },
          { head: 'Hosts', number: true, cell: (row) => row.hosts_count },
          { head: 'Cores', number: true, cell: (row) => row.cores_count },
          {
            head: 'Cores busy',
            number: true,
            cell: (row) => percent(row.cores_count ? row.busy_cores_count / row.cores_count : null),
          },
          { head: 'RAM', number: true, cell: (row) => quantity(row.ram_gib, 'GiB') },
          { head: 'RAM in use', number: true, cell: (row) => quantity(row.used_ram_gib, 'GiB') },
        ]}
      />
      <RowsTable
        title="Virtual machines"
        rows={fleet.guests}
        columns={[
          { head: 'State', cell: (row) => STATES[row.state] ?? row.state },
          { head: 'Count', number: true, cell: (row) => row.vms_count },
          { head: 'vCPUs', number: true, cell: (row) => row.vcpus_count },
          { head: 'RAM', number: true, cell: (row) => quantity(row.ram_gib, 'GiB') },
          { head: 'Disk in use', number: true, cell: (row) => quantity(row.used_tb, 'TB') },
        ]}
      />
    </>
  );
}
