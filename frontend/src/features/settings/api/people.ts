import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, body, rows } from '../../../lib/api';
import type {
  CreatedInvitation,
  Invitation,
  Member,
  MemberGroup,
  OwnSession,
  Page,
  Role,
} from '../../../lib/types';

const INVITATIONS = ['invitations'] as const;
const SESSIONS = ['sessions'] as const;
const MEMBERS = ['members'] as const;

export const membersQueryOptions = queryOptions({
  queryKey: MEMBERS,
  queryFn: () => body<Page<Member>>(api.GET('/api/v1/members')),
});

export const invitationsQueryOptions = queryOptions({
  queryKey: INVITATIONS,
  queryFn: () => body<Page<Invitation>>(api.GET('/api/v1/invitations')),
});

export const useSessions = () =>
  useQuery({
    queryKey: SESSIONS,
    queryFn: () => rows<OwnSession>(api.GET('/api/v1/sessions')),
  });

export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (session_id: string) =>
      api.DELETE('/api/v1/sessions/{session_id}', { params: { path: { session_id } } }),
    onSettled: () => client.invalidateQueries({ queryKey: SESSIONS }),
  });
}

export function useInvite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (given: { role: Role; email: string }) =>
      body<CreatedInvitation>(api.POST('/api/v1/invitations', { body: given })),
    onSuccess: () => client.invalidateQueries({ queryKey: INVITATIONS }),
  });
}

export function useWithdraw() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (invitation_id: string) =>
      api.DELETE('/api/v1/invitations/{invitation_id}', { params: { path: { invitation_id } } }),
    onSettled: () => client.invalidateQueries({ queryKey: INVITATIONS }),
  });
}

export function useChangeRole() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ member_id, role }: { member_id: string; role: Role }) =>
      api.PATCH('/api/v1/members/{member_id}', { params: { path: { member_id } }, body: { role } }),
    onSettled: () => client.invalidateQueries({ queryKey: MEMBERS }),
  });
}

export function useRemoveMember() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (member_id: string) =>
      api.DELETE('/api/v1/members/{member_id}', { params: { path: { member_id } } }),
    onSettled: () => client.invalidateQueries({ queryKey: MEMBERS }),
  });
}

const GROUPS = ['member-groups'] as const;

export const groupsQueryOptions = queryOptions({
  queryKey: GROUPS,
  queryFn: () => body<Page<MemberGroup>>(api.GET('/api/v1/members/groups')),
});

export function useGroupRole() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ group_id, role }: { group_id: string; role: MemberGroup['role'] }) =>
      api.PATCH('/api/v1/members/groups/{group_id}', {
        params: { path: { group_id } },
        body: { role },
      }),
    onSettled: () =>
      Promise.all([GROUPS, MEMBERS].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
