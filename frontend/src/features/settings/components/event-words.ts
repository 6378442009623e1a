import type { WebhookEvent } from '../../../lib/types';

export const EVENTS: { value: WebhookEvent; label: string }[] = [
  { value: 'run.finished', label: 'A run finished' },
  { value: 'verdict.changed', label: 'The verdict changed' },
  { value: 'breakeven.moved', label: 'The break-even moved by more than some months' },
  { value: 'prices.arrived', label: 'Prices arrived' },
  { value: 'approval.asked', label: 'Approval is asked for' },
  { value: 'study.approved', label: 'A study was approved' },
];
