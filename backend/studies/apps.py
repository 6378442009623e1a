"""The studies app."""

from django.apps import AppConfig


class StudiesConfig(AppConfig):
    """Studies, designs, workload, assumptions."""

    name = "studies"
