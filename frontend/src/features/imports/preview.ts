/** What every preview has, whatever was imported; its tables come beside it. */
export interface Preview {
  headline: string;
  notes: string[];
  faults: { line: number; message: string }[];
  faults_count: number;
  /** Rows that are in none of the sums. */
  unread_rows_count?: number;
  /** Of a bill only. */
  suggested_cost?: 'effective' | 'billed';
  currency?: string;
  /** Of a quote only: its columns, and which of them means what. */
  columns?: string[];
  /** Of a price list only: whose it is. */
  provider?: string;
  mapping?: Record<string, string>;
  meanings?: { id: string; title: string }[];
}

/** An exact amount to the cent, in the bill's currency. */
export function amount(value: string, currency: string): string {
  const cents = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const code = /^[A-Z]{3}$/.test(currency) ? currency : 'USD';
  const text = new Intl.NumberFormat('en-US', { style: 'currency', currency: code, ...cents });
  return text.format(Number(value)).replace('-', '\u2212');
}
