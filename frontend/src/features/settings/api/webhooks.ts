import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body, rows } from '../../../lib/api';
import type { CreatedWebhook, Delivery, Page, Webhook, WebhookEvent } from '../../../lib/types';

const WEBHOOKS = ['webhooks'] as const;

export const webhooksQueryOptions = queryOptions({
  queryKey: WEBHOOKS,
  queryFn: () => rows<Webhook>(api.GET('/api/v1/webhooks')),
});

export const deliveriesQueryOptions = (webhook_id: string) =>
  queryOptions({
    queryKey: [...WEBHOOKS, webhook_id],
    queryFn: () =>
      body<Page<Delivery>>(
        api.GET('/api/v1/webhooks/{webhook_id}/deliveries', { params: { path: { webhook_id } } }),
      ),
    refetchInterval: 5_000,
  });

export function useAddWebhook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (given: { url: string; events: WebhookEvent[]; break_even_months: number }) =>
      body<CreatedWebhook>(api.POST('/api/v1/webhooks', { body: given })),
    onSuccess: () => client.invalidateQueries({ queryKey: WEBHOOKS }),
  });
}

export function useRemoveWebhook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (webhook_id: string) =>
      api.DELETE('/api/v1/webhooks/{webhook_id}', { params: { path: { webhook_id } } }),
    onSettled: () => client.invalidateQueries({ queryKey: WEBHOOKS }),
  });
}

export function useSendAgain(webhook_id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (delivery_id: string) =>
      api.POST('/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/again', {
        params: { path: { webhook_id, delivery_id } },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: [...WEBHOOKS, webhook_id] }),
  });
}
