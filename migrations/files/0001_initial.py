import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import common.partitions
from common.partitions import partitioned
from common.rls import definer_function, workspace_rls

PIECES = """
CREATE TABLE files_piece (
    workspace_id uuid NOT NULL,
    file_id uuid NOT NULL,
    position integer NOT NULL CHECK (position >= 0),
    month date NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (file_id, position, month)
) PARTITION BY RANGE (month);
"""
# By the database, so that no way of removing a job leaves its files behind.
JOB = """
ALTER TABLE files_file ADD CONSTRAINT files_file_job FOREIGN KEY (job_id)
    REFERENCES jobs_job (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
"""
GONE = """
CREATE FUNCTION files_note_gone() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $body$
BEGIN
    INSERT INTO files_gone (id, workspace_id, storage, name)
    VALUES (OLD.id, OLD.workspace_id, OLD.storage, OLD.name);
    RETURN NULL;
END $body$;
REVOKE ALL ON FUNCTION files_note_gone() FROM PUBLIC;
CREATE TRIGGER files_note_gone AFTER DELETE ON files_file
    FOR EACH ROW EXECUTE FUNCTION files_note_gone();
"""
NOT_GONE = "DROP TRIGGER files_note_gone ON files_file; DROP FUNCTION files_note_gone;"


def workspace(**options):
    return models.ForeignKey(
        editable=False,
        on_delete=django.db.models.deletion.CASCADE,
        related_name="+",
        to="accounts.workspace",
        **options,
    )


def key():
    return models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0002_row_level_security"),
        ("jobs", "0002_row_level_security"),
    ]

    operations = [
        migrations.CreateModel(
            name="File",
            fields=[
                ("id", key()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("upload", "Upload"),
                            ("trace", "Trace"),
                            ("series", "Series"),
                            ("report", "Report"),
                        ],
                        max_length=10,
                    ),
                ),
                ("storage", models.CharField(max_length=10)),
                ("name", models.CharField(max_length=120)),
                ("bytes_count", models.BigIntegerField()),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "job",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="files",
                        to="jobs.job",
                    ),
                ),
                ("workspace", workspace()),
            ],
            options={
                "indexes": [
                    models.Index(fields=["workspace"], include=("bytes_count",), name="file_sizes"),
                    models.Index(
                        condition=models.Q(("job__isnull", True)),
                        fields=["created_at"],
                        name="file_under_way",
                    ),
                ],
                "constraints": [models.UniqueConstraint(fields=("job", "kind"), name="file_once")],
            },
        ),
        migrations.CreateModel(
            name="Gone",
            fields=[
                ("id", key()),
                ("storage", models.CharField(max_length=10)),
                ("name", models.CharField(max_length=120)),
                (
                    "workspace",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="accounts.workspace",
                    ),
                ),
            ],
            options={"abstract": False},
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(PIECES, "DROP TABLE files_piece")],
            state_operations=[
                migrations.CreateModel(
                    name="Piece",
                    fields=[
                        (
                            "pk",
                            models.CompositePrimaryKey(
                                "file_id",
                                "position",
                                "month",
                                blank=True,
                                editable=False,
                                primary_key=True,
                                serialize=False,
                            ),
                        ),
                        ("file_id", models.UUIDField()),
                        ("position", models.PositiveIntegerField()),
                        ("month", models.DateField(default=common.partitions.KEPT)),
                        ("data", models.BinaryField()),
                        ("workspace", workspace()),
                    ],
                    options={"ordering": ("position",)},
                )
            ],
        ),
        migrations.RunSQL(JOB, "ALTER TABLE files_file DROP CONSTRAINT files_file_job"),
        workspace_rls("files_file", crossing=True),
        workspace_rls("files_gone", crossing=True),
        *partitioned(
            "files_piece", used="EXISTS (SELECT FROM files_file f WHERE f.id = t.file_id)"
        ),
        migrations.RunSQL(GONE, NOT_GONE),
        definer_function(
            "files_gone",
            "p_most integer",
            "TABLE (workspace_id uuid, id uuid, storage text, name text)",
            "SELECT workspace_id, id, storage::text, name::text FROM files_gone LIMIT p_most;",
        ),
        definer_function(
            "files_uploads_prune",
            "p_now timestamptz",
            "void",
            """DELETE FROM files_file f USING jobs_job j
               WHERE j.id = f.job_id AND f.kind = 'upload' AND j.state IN ('failed', 'cancelled');
               DELETE FROM files_file
               WHERE job_id IS NULL AND created_at < p_now - interval '1 day';""",
        ),
    ]
