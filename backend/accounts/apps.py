"""The accounts app."""

from django.apps import AppConfig

from common.quotas import Quota, register


class AccountsConfig(AppConfig):
    """Users, workspaces, members, tokens, sign-in, audit."""

    name = "accounts"

    def ready(self) -> None:
        """Register the quota."""
        from accounts.models import Member

        members = Quota(
            name="members",
            title="Members",
            unit="members",
            used=Member.objects.count,
            status=403,
            advice="Remove one, or ask whoever runs this service for more.",
        )
        register(members)
