"""The operators app: a process of its own, with a role and a schema of its own."""

from django.apps import AppConfig


class OperatorsConfig(AppConfig):
    """What who runs the service sees: workspaces, usage, quotas, jobs; never contents."""

    name = "operators"
    verbose_name = "Service"
