"""Shuts the reports of the workspaces from each other."""

from django.db import migrations

from common.rls import workspace_rls


class Migration(migrations.Migration):
    dependencies = [("reports", "0001_initial")]

    operations = [
        workspace_rls("reports_report"),
        workspace_rls("reports_reportchunk"),
    ]
