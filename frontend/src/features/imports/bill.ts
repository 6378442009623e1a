/** What the worker found in a bill; amounts are exact, as text, in the bill's currency. */
export interface Sums {
  billed: string;
  effective: string;
  list: string;
  rows_count: number;
}

/** What every preview has, whatever was imported. */
export interface Preview {
  headline: string;
  notes: string[];
  faults: { line: number; message: string }[];
  faults_count: number;
}

export interface Bill extends Preview {
  suggested_cost: 'effective' | 'billed';
  currency: string;
  providers: string[];
  totals: Sums;
  months: (Sums & { month: string })[];
  kinds: (Sums & { kind: string; label: string; place: string })[];
  services: (Sums & { category: string; service: string })[];
  machines: (Sums & { type: string; region: string; is_committed: boolean; hours: string })[];
  commitments: {
    id: string;
    type: string;
    used: string;
    unused: string;
    used_fraction: number | null;
    saved_fraction: number | null;
    ends_on: string | null;
  }[];
  tags: { key: string; values_count: number; values: { value: string; effective: string }[] }[];
  unplaced: {
    lines_count: number;
    totals: Sums;
    lines: (Sums & { service: string; description: string })[];
  };
}

/** What the worker found in a workbook of hosts and virtual machines. */
export interface Fleet extends Preview {
  hosts: {
    model: string;
    cpu: string;
    sockets_count: number;
    hosts_count: number;
    cores_count: number;
    busy_cores_count: number;
    ram_gib: number;
    used_ram_gib: number;
  }[];
  guests: {
    state: string;
    vms_count: number;
    vcpus_count: number;
    ram_gib: number;
    used_tb: number;
  }[];
}

/** An exact amount to the cent, in the bill's currency. */
export function amount(value: string, currency: string): string {
  const cents = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const code = /^[A-Z]{3}$/.test(currency) ? currency : 'USD';
  const text = new Intl.NumberFormat('en-US', { style: 'currency', currency: code, ...cents });
  return text.format(Number(value)).replace('-', '\u2212');
}
