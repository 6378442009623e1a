"""Shuts the idempotency keys of the workspaces from each other."""

from django.db import migrations

from common.rls import definer_function, workspace_rls


class Migration(migrations.Migration):
    dependencies = [("common", "0001_initial")]

    operations = [
        workspace_rls("common_idempotencykey", crossing=True),
        definer_function(
            "common_idempotency_prune",
            "p_before timestamptz",
            "void",
            "DELETE FROM common_idempotencykey WHERE created_at < p_before;",
        ),
    ]
