"""The accounts app."""

from django.apps import AppConfig

from common.quotas import Quota, register, register_limits


class AccountsConfig(AppConfig):
    """Users, workspaces, members, tokens, sign-in, audit."""

    name = "accounts"

    def ready(self) -> None:
        """Register the quota, the limits of single workspaces, and mail of events."""
        from accounts import mail
        from accounts.events import event_said
        from accounts.limits import limits_own
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
        mail.register(mail.EVENT, event_said)
        register_limits(limits_own)
