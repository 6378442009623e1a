"""Shuts the studies of the workspaces from each other."""

from django.db import migrations

from common.rls import workspace_rls


class Migration(migrations.Migration):
    dependencies = [("studies", "0001_initial")]

    operations = [
        workspace_rls("studies_study"),
        workspace_rls("studies_design"),
        workspace_rls("studies_designversion"),
    ]
