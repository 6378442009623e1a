"""Addresses of accounts."""

from django.urls import path

from accounts import apis, members

urlpatterns = [
    path("session", apis.SessionApi.as_view()),
    path("password", members.PasswordApi.as_view()),
    path("workspaces", members.WorkspaceListApi.as_view()),
    path("members", members.MemberListApi.as_view()),
    path("tokens", apis.TokenListApi.as_view()),
    path("tokens/<uuid:token_id>", apis.TokenApi.as_view()),
    path("audit", apis.AuditListApi.as_view()),
]
