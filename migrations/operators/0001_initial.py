"""Operators' accounts, and functions that name each column which operators see.

All is made on a connection whose search path is the schema ``operators`` alone. The bodies are
texts: a later release may change the tables behind without touching the views.
"""

from django.db import migrations, models

# As the service's own quotas count (accounts, files, jobs): a test holds the two together.
WORKSPACES = """
CREATE FUNCTION operators.workspaces() RETURNS TABLE (
    id uuid, name varchar, created_at timestamptz, deletes_at timestamptz, limits jsonb,
    members bigint, jobs bigint, stored_mb float8, compute_minutes float8)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $body$
    SELECT w.id, w.name, w.created_at, w.deletes_at, w.limits,
        (SELECT count(*) FROM accounts_member m WHERE m.workspace_id = w.id),
        (SELECT count(*) FROM jobs_job j
         WHERE j.workspace_id = w.id AND j.state IN ('queued', 'running')),
        (SELECT coalesce(sum(f.bytes_count), 0) / 1e6 FROM files_file f
         WHERE f.workspace_id = w.id)::float8,
        coalesce((SELECT c.seconds / 60 FROM jobs_computed c
         WHERE c.workspace_id = w.id
           AND c.month = date_trunc('month', now() AT TIME ZONE 'UTC')::date), 0)::float8
    FROM accounts_workspace w
$body$;
REVOKE ALL ON FUNCTION operators.workspaces() FROM PUBLIC;
CREATE VIEW operators.workspace AS SELECT * FROM operators.workspaces();
"""
JOBS = """
CREATE FUNCTION operators.jobs() RETURNS TABLE (
    id uuid, workspace varchar, kind varchar, queue varchar, state varchar, attempt smallint,
    submitted_at timestamptz, started_at timestamptz, ended_at timestamptz, limit_s integer,
    fault varchar)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $body$
    SELECT j.id, w.name, j.kind, j.queue, j.state, j.attempt, j.submitted_at, j.started_at,
        j.ended_at, j.limit_s, coalesce(left(j.error ->> 'code', 50), '')
    FROM (
        (SELECT * FROM jobs_job WHERE state IN ('queued', 'running'))
        UNION ALL
        (SELECT * FROM jobs_job WHERE state NOT IN ('queued', 'running')
         ORDER BY submitted_at DESC LIMIT 1000)
    ) j JOIN accounts_workspace w ON w.id = j.workspace_id
$body$;
REVOKE ALL ON FUNCTION operators.jobs() FROM PUBLIC;
CREATE VIEW operators.job AS SELECT * FROM operators.jobs();
"""
# The audit's policy lets the owner see one workspace at a time.
LIMITS = """
CREATE FUNCTION operators.limits_set(p_workspace uuid, p_limits jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $body$
BEGIN
    UPDATE accounts_workspace SET limits = p_limits WHERE id = p_workspace;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    PERFORM set_config('app.workspace', p_workspace::text, true);
    INSERT INTO accounts_auditentry
        (id, month, workspace_id, actor_email, action, target, detail, created_at)
    VALUES (gen_random_uuid(), date_trunc('month', now() AT TIME ZONE 'UTC')::date, p_workspace,
        'operator', 'workspace.limits', '', p_limits, now());
END
$body$;
REVOKE ALL ON FUNCTION operators.limits_set(uuid, jsonb) FROM PUBLIC;
"""
UNDO = """
DROP VIEW IF EXISTS operators.workspace;
DROP VIEW IF EXISTS operators.job;
DROP FUNCTION IF EXISTS operators.workspaces();
DROP FUNCTION IF EXISTS operators.jobs();
DROP FUNCTION IF EXISTS operators.limits_set(uuid, jsonb);
"""


class Migration(migrations.Migration):
    initial = True
    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Operator",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                (
                    "last_login",
                    models.DateTimeField(blank=True, null=True, verbose_name="last login"),
                ),
                ("email", models.EmailField(max_length=254, unique=True)),
                ("is_active", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={"db_table": "operator"},
        ),
        migrations.CreateModel(
            name="Refusal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("email", models.CharField(max_length=254)),
                ("at", models.DateTimeField()),
            ],
            options={
                "db_table": "refusal",
                "indexes": [models.Index(fields=["email", "at"], name="refusal_by_email")],
            },
        ),
        migrations.CreateModel(
            name="Workspace",
            fields=[
                ("id", models.UUIDField(primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=100)),
                ("created_at", models.DateTimeField()),
                ("deletes_at", models.DateTimeField(null=True)),
                ("limits", models.JSONField()),
                ("members", models.BigIntegerField()),
                ("jobs", models.BigIntegerField(verbose_name="jobs that wait or run")),
                ("stored_mb", models.FloatField(verbose_name="stored (MB)")),
                (
                    "compute_minutes",
                    models.FloatField(verbose_name="computing this month (minutes)"),
                ),
            ],
            options={"db_table": "workspace", "managed": False},
        ),
        migrations.CreateModel(
            name="Job",
            fields=[
                ("id", models.UUIDField(primary_key=True, serialize=False)),
                ("workspace", models.CharField(max_length=100)),
                ("kind", models.CharField(max_length=50)),
                ("queue", models.CharField(max_length=20)),
                ("state", models.CharField(max_length=10)),
                ("attempt", models.PositiveSmallIntegerField()),
                ("submitted_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("limit_s", models.PositiveIntegerField(verbose_name="time limit (s)")),
                ("fault", models.CharField(max_length=50)),
            ],
            options={"db_table": "job", "managed": False},
        ),
        migrations.RunSQL(WORKSPACES + JOBS + LIMITS, UNDO),
    ]
