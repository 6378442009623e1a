"""Shuts the traces of the workspaces from each other; lets go of files that failed."""

from django.db import migrations

from common.rls import definer_function, workspace_rls


class Migration(migrations.Migration):
    dependencies = [("traces", "0001_initial")]

    operations = [
        workspace_rls("traces_trace"),
        workspace_rls("traces_traceupload", crossing=True),
        workspace_rls("traces_tracechunk"),
        definer_function(
            "traces_uploads_prune",
            "",
            "void",
            """DELETE FROM traces_traceupload u USING jobs_job j
               WHERE j.id = u.trace_id AND j.state IN ('failed', 'cancelled');""",
        ),
    ]
