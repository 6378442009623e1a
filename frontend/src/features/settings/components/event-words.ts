import type { WebhookEvent } from '../../../lib/types';

export const EVENTS: { value: WebhookEvent; label: string }[] = [
  { value: 'run.finished', label: 'A run finished' },
  { value: 'verdict.changed', label: 'The verdict changed' },
  { value: 'approval.asked', label: 'Approval is asked for' },
  { value: 'study.approved', label: 'A study was approved' },
];
