import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body, rows } from '../../../lib/api';
import type { MailedEvents, Message, OwnEmail } from '../../../lib/types';

export const emailQueryOptions = queryOptions({
  queryKey: ['email'],
  queryFn: () => body<OwnEmail>(api.GET('/api/v1/email')),
});

export const useConfirmEmail = () => useMutation({ mutationFn: () => api.POST('/api/v1/email') });

/** Messages of a service without a server for mail; missing where one is not who runs it. */
export const messagesQueryOptions = queryOptions({
  queryKey: ['mail'],
  queryFn: () => rows<Message>(api.GET('/api/v1/mail')),
  retry: false,
  refetchInterval: 2_000,
});

export const mailedEventsQueryOptions = queryOptions({
  queryKey: ['mailed-events'],
  queryFn: () => body<MailedEvents>(api.GET('/api/v1/email/events')),
});

export function useChooseMailedEvents() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (given: MailedEvents) =>
      body<MailedEvents>(api.PUT('/api/v1/email/events', { body: given })),
    onSuccess: (found) => client.setQueryData(mailedEventsQueryOptions.queryKey, found),
  });
}
