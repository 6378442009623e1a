"""Cuts what webhooks were told by months; says once which runs are needed whatever their age."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import common.partitions
from common.partitions import cut_up
from common.rls import definer_function

CUT = cut_up(
    "sharing_delivery",
    key=", FOREIGN KEY (webhook_id) REFERENCES sharing_webhook (id) ON DELETE CASCADE",
    # it is still tried
    used="t.ended_at IS NULL",
    indexes=(
        "delivery_open ON sharing_delivery (webhook_id, study_id, created_at) "
        "WHERE ended_at IS NULL",
        "delivery_by_time ON sharing_delivery (webhook_id, created_at DESC, id DESC)",
    ),
)
# Approved, shown by a link, a study's latest of its model, or named by a study as a tool's run.
# As whoever asks: the functions that cross workspaces see all, others their own.
NEEDED = """
CREATE FUNCTION runs_is_needed(p_run uuid) RETURNS boolean LANGUAGE sql STABLE AS $body$
    SELECT EXISTS (SELECT FROM sharing_approval a WHERE a.run_id = r.id)
        OR EXISTS (SELECT FROM sharing_share s WHERE s.run_id = r.id AND s.revoked_at IS NULL)
        OR EXISTS (
            SELECT FROM studies_study s WHERE s.workspace_id = r.workspace_id
            AND s.tool_runs @> jsonb_build_array(jsonb_build_object('run', r.id::text)))
        OR (r.study_id IS NOT NULL AND j.state = 'succeeded' AND NOT EXISTS (
            SELECT FROM runs_run n JOIN jobs_job nj ON nj.id = n.id
            WHERE n.study_id = r.study_id AND n.model_id = r.model_id
              AND n.created_at > r.created_at AND nj.state = 'succeeded'))
    FROM runs_run r JOIN jobs_job j ON j.id = r.id WHERE r.id = p_run
$body$
"""
EXPIRED = """
CREATE OR REPLACE FUNCTION runs_expired(p_before timestamptz, p_most integer)
RETURNS TABLE (workspace_id uuid, id uuid, what text)
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $body$
    (SELECT r.workspace_id, r.id, 'run' FROM runs_run r JOIN jobs_job j ON j.id = r.id
     WHERE r.created_at < p_before AND j.state IN ('succeeded', 'failed', 'cancelled')
       AND NOT runs_is_needed(r.id)
     ORDER BY r.created_at LIMIT p_most)
    UNION ALL
    (SELECT r.workspace_id, r.id, 'report' FROM reports_report r JOIN jobs_job j ON j.id = r.id
     WHERE r.created_at < p_before AND j.state IN ('succeeded', 'failed', 'cancelled')
       AND (r.study_id IS NULL OR j.state <> 'succeeded' OR EXISTS (
           SELECT FROM reports_report n JOIN jobs_job nj ON nj.id = n.id
           WHERE n.study_id = r.study_id AND n.format = r.format
             AND n.created_at > r.created_at AND nj.state = 'succeeded'))
     ORDER BY r.created_at LIMIT p_most)
$body$
"""
# Series of runs that nobody needs; and jobs that told a program something, long ago.
LET_GO = """
    DELETE FROM files_file WHERE id IN (
        SELECT f.id FROM files_file f
        WHERE f.kind = 'series' AND f.created_at < p_before AND NOT runs_is_needed(f.job_id)
          AND NOT EXISTS (SELECT FROM runs_run n WHERE n.reused_from_id = f.job_id
              AND (n.created_at >= p_before OR runs_is_needed(n.id)))
        ORDER BY f.created_at LIMIT p_most);
"""
TOLD = """
    DELETE FROM jobs_job WHERE id IN (
        SELECT id FROM jobs_job WHERE kind = 'webhook' AND ended_at < p_before
        ORDER BY ended_at LIMIT p_most);
"""
SERIES_BY_AGE = "CREATE INDEX series_by_age ON files_file (created_at) WHERE kind = 'series'"
TOLD_BY_AGE = "CREATE INDEX jobs_told ON jobs_job (ended_at) WHERE kind = 'webhook'"


class Migration(migrations.Migration):
    dependencies = [
        ("sharing", "0004_retention"),
        ("runs", "0008_results_by_month"),
        ("files", "0001_initial"),
        ("jobs", "0009_unusual"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=CUT,
            state_operations=[
                migrations.DeleteModel("Delivery"),
                migrations.CreateModel(
                    name="Delivery",
                    fields=[
                        ("id", models.UUIDField(default=uuid.uuid4, editable=False)),
                        (
                            "pk",
                            models.CompositePrimaryKey(
                                "id",
                                "month",
                                blank=True,
                                editable=False,
                                primary_key=True,
                                serialize=False,
                            ),
                        ),
                        (
                            "month",
                            models.DateField(default=common.partitions.this_month, editable=False),
                        ),
                        ("event", models.CharField(max_length=40)),
                        ("study_id", models.UUIDField(null=True)),
                        ("payload", models.JSONField()),
                        (
                            "created_at",
                            models.DateTimeField(default=django.utils.timezone.now, editable=False),
                        ),
                        ("attempts", models.PositiveIntegerField(default=0)),
                        ("status", models.PositiveSmallIntegerField(null=True)),
                        ("answer", models.CharField(blank=True, max_length=500)),
                        ("ended_at", models.DateTimeField(null=True)),
                        ("delivered", models.BooleanField(default=False)),
                        (
                            "webhook",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="deliveries",
                                to="sharing.webhook",
                            ),
                        ),
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
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("ended_at", None)),
                                fields=["webhook", "study_id", "created_at"],
                                name="delivery_open",
                            ),
                            models.Index(
                                fields=["webhook", "-created_at", "-id"], name="delivery_by_time"
                            ),
                        ],
                    },
                ),
            ],
        ),
        migrations.RunSQL(NEEDED, "DROP FUNCTION runs_is_needed"),
        migrations.RunSQL(EXPIRED),
        migrations.RunSQL(SERIES_BY_AGE, "DROP INDEX series_by_age"),
        migrations.RunSQL(TOLD_BY_AGE, "DROP INDEX jobs_told"),
        definer_function("series_expire", "p_before timestamptz, p_most integer", "void", LET_GO),
        definer_function("events_expire", "p_before timestamptz, p_most integer", "void", TOLD),
    ]
