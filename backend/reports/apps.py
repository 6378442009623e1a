"""The reports app."""

from django.apps import AppConfig
from django.db.models.signals import pre_delete

from jobs import kinds


class ReportsConfig(AppConfig):
    """Documents of a study as it stood: PDF, workbook, CSV."""

    name = "reports"

    def ready(self) -> None:
        """Make the job kind known, and let the reports of a study go with it."""
        from reports.services import study_reports_delete

        pre_delete.connect(study_reports_delete, sender="studies.Study")
        queues = {"report": kinds.REPORTS}
        kinds.register_work("reports.work.report", queues, loads=True, warm="reports.render.warm")
