"""Files that are sent in parts, and which files of a storage have a row."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from common.rls import definer_function, workspace_rls

FILE = """
ALTER TABLE files_upload ADD CONSTRAINT files_upload_file FOREIGN KEY (file_id)
    REFERENCES files_file (id) ON DELETE CASCADE;
"""
# What was heard of within a day is still on its way.
PRUNE = """
CREATE OR REPLACE FUNCTION files_uploads_prune(p_now timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $body$
    DELETE FROM files_file f USING jobs_job j
    WHERE j.id = f.job_id AND f.kind = 'upload' AND j.state IN ('failed', 'cancelled');
    DELETE FROM files_file f
    WHERE f.job_id IS NULL AND f.created_at < p_now - interval '1 day'
      AND NOT EXISTS (SELECT FROM files_upload u
          WHERE u.file_id = f.id AND u.sent_at >= p_now - interval '1 day');
$body$
"""


class Migration(migrations.Migration):
    dependencies = [("files", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Upload",
            fields=[
                (
                    "file",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="upload",
                        serialize=False,
                        to="files.file",
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("part_bytes", models.PositiveIntegerField()),
                ("token", models.TextField(blank=True)),
                ("sent_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "workspace",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.workspace",
                    ),
                ),
            ],
            options={"abstract": False},
        ),
        migrations.RunSQL(FILE, "ALTER TABLE files_upload DROP CONSTRAINT files_upload_file"),
        workspace_rls("files_upload", crossing=True),
        migrations.RunSQL(PRUNE, migrations.RunSQL.noop),
        definer_function(
            "files_known",
            "p_ids uuid[]",
            "SETOF uuid",
            "SELECT id FROM files_file WHERE id = ANY (p_ids);",
        ),
    ]
