"""Addresses of accounts."""

from django.urls import path

from accounts import (
    apis,
    audit_apis,
    leaving_apis,
    mail_apis,
    openid_apis,
    own_apis,
    saml_apis,
    scim_apis,
    team_apis,
    two_step_apis,
)

urlpatterns = [
    path("session", apis.SessionApi.as_view()),
    path("session/openid", openid_apis.OpenIdApi.as_view()),
    path("session/openid/answer", openid_apis.OpenIdAnswerApi.as_view()),
    path("session/saml", saml_apis.SamlApi.as_view()),
    path("session/saml/metadata", saml_apis.SamlMetadataApi.as_view()),
    path("session/saml/acs", saml_apis.SamlPostedApi.as_view()),
    path("session/saml/answer", saml_apis.SamlAnswerApi.as_view()),
    path("session/workspace", team_apis.EnterApi.as_view()),
    path("sessions", own_apis.SessionListApi.as_view()),
    path("sessions/<uuid:session_id>", own_apis.OwnSessionApi.as_view()),
    path("number-format", own_apis.NumberFormatApi.as_view()),
    path("password", own_apis.PasswordApi.as_view()),
    path("password/forgotten", mail_apis.ForgottenApi.as_view()),
    path("two-step", two_step_apis.TwoStepApi.as_view()),
    path("two-step/confirm", two_step_apis.TwoStepConfirmApi.as_view()),
    path("two-step/recovery", two_step_apis.TwoStepRecoveryApi.as_view()),
    path("two-step/off", two_step_apis.TwoStepOffApi.as_view()),
    path("two-step/keys", two_step_apis.SecurityKeysApi.as_view()),
    path("two-step/keys/confirm", two_step_apis.SecurityKeysConfirmApi.as_view()),
    path("two-step/keys/request", two_step_apis.SecurityKeysRequestApi.as_view()),
    path("two-step/keys/off", two_step_apis.SecurityKeysOffApi.as_view()),
    path("sign-up", mail_apis.SignUpApi.as_view()),
    path("mailed", mail_apis.MailedApi.as_view()),
    path("mailed/look", mail_apis.MailedLookApi.as_view()),
    path("email", mail_apis.EmailApi.as_view()),
    path("email/events", mail_apis.MailedEventsApi.as_view()),
    path("mail", mail_apis.MessageListApi.as_view()),
    path("workspaces", team_apis.WorkspaceListApi.as_view()),
    path("workspaces/<uuid:workspace_id>", team_apis.WorkspaceApi.as_view()),
    path("workspaces/<uuid:workspace_id>/deletion", leaving_apis.WorkspaceDeletionApi.as_view()),
    path("account/deletion", leaving_apis.AccountDeletionApi.as_view()),
    path("workspaces/<uuid:workspace_id>/leave", team_apis.LeaveApi.as_view()),
    path("members", team_apis.MemberListApi.as_view()),
    path("members/<uuid:member_id>", team_apis.MemberApi.as_view()),
    path("members/groups", scim_apis.ProvisionedGroupListApi.as_view()),
    path("members/groups/<uuid:group_id>", scim_apis.ProvisionedGroupApi.as_view()),
    path("invitations", team_apis.InvitationListApi.as_view()),
    path("invitations/<uuid:invitation_id>", team_apis.InvitationApi.as_view()),
    path("join", team_apis.JoinApi.as_view()),
    path("join/look", team_apis.JoinLookApi.as_view()),
    path("tokens", apis.TokenListApi.as_view()),
    path("tokens/<uuid:token_id>", apis.TokenApi.as_view()),
    *(
        path(f"scim/v2/{kind}{address}", view.as_view(kind=kind))
        for kind in ("Users", "Groups")
        for address, view in (
            ("", scim_apis.ScimListApi),
            ("/.search", scim_apis.ScimSearchApi),
            ("/<uuid:scim_id>", scim_apis.ScimOneApi),
        )
    ),
    *(
        path(f"scim/v2/{address}", scim_apis.ScimDiscoveryApi.as_view(what=what))
        for what, address in (
            ("ServiceProviderConfig", "ServiceProviderConfig"),
            ("ResourceTypes", "ResourceTypes"),
            ("ResourceTypes", "ResourceTypes/<str:name>"),
            ("Schemas", "Schemas"),
            ("Schemas", "Schemas/<str:name>"),
        )
    ),
    path("scim/v2/<path:rest>", scim_apis.ScimUnknownApi.as_view()),
    path("audit", audit_apis.AuditListApi.as_view()),
    path("audit.csv", audit_apis.AuditCsvApi.as_view()),
]
