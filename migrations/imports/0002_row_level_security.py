"""Shuts the imports of the workspaces from each other; lets go of files that failed."""

from django.db import migrations

from common.rls import definer_function, workspace_rls


class Migration(migrations.Migration):
    dependencies = [("imports", "0001_initial")]

    operations = [
        workspace_rls("imports_import"),
        workspace_rls("imports_importupload", crossing=True),
        definer_function(
            "imports_uploads_prune",
            "",
            "void",
            """DELETE FROM imports_importupload u USING jobs_job j
               WHERE j.id = u.file_import_id AND j.state IN ('failed', 'cancelled');""",
        ),
    ]
