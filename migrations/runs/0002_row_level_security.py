"""Shuts the runs of the workspaces from each other."""

from django.db import migrations

from common.rls import workspace_rls


class Migration(migrations.Migration):
    dependencies = [("runs", "0001_initial")]

    operations = [
        workspace_rls("runs_run"),
        workspace_rls("runs_resultchunk"),
    ]
