"""Puts the results of runs into monthly partitions."""

import django.db.models.deletion
from django.db import migrations, models

import common.partitions
import studies.documents
from common.partitions import KEPT, partitioned

RESULTS = """
CREATE TABLE runs_result (
    workspace_id uuid NOT NULL,
    run_id uuid NOT NULL REFERENCES runs_run (id) ON DELETE CASCADE,
    month date NOT NULL,
    data jsonb NOT NULL,
    PRIMARY KEY (run_id, month)
) PARTITION BY RANGE (month);
"""
# Needed: by its own run, or by a younger one that it answers.
USED = """
    runs_is_needed(t.run_id) OR EXISTS (
        SELECT FROM runs_run n WHERE n.reused_from_id = t.run_id
        AND (n.created_at >= p_before OR runs_is_needed(n.id)))
"""
MOVED = f"""
    UPDATE runs_run r SET result_month = '{KEPT}' FROM runs_result t
    WHERE t.run_id = r.id AND t.month = '{KEPT}' AND r.result_month <> '{KEPT}'
"""
MONTH = "ALTER TABLE runs_run ADD COLUMN result_month date"
INDEX = """
CREATE INDEX run_to_answer ON runs_run (workspace_id, inputs_hash) WHERE result_month IS NOT NULL
"""
TAKEN = """
SELECT runs_result_ahead(found.month AT TIME ZONE 'UTC') FROM (
    SELECT DISTINCT date_trunc('month', created_at AT TIME ZONE 'UTC') AS month
    FROM runs_run WHERE result IS NOT NULL) found;
SET LOCAL lock_timeout TO DEFAULT;
INSERT INTO runs_result (workspace_id, run_id, month, data)
SELECT workspace_id, id, date_trunc('month', created_at AT TIME ZONE 'UTC')::date, result
FROM runs_run WHERE result IS NOT NULL;
UPDATE runs_run SET result_month = date_trunc('month', created_at AT TIME ZONE 'UTC')::date
WHERE result IS NOT NULL;
"""
# The release before writes the column, and reads it, until it has ended.
ADOPT = """
CREATE FUNCTION runs_result_adopt() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $body$
BEGIN
    NEW.result_month := date_trunc('month', now() AT TIME ZONE 'UTC')::date;
    INSERT INTO runs_result (workspace_id, run_id, month, data)
    VALUES (NEW.workspace_id, NEW.id, NEW.result_month, NEW.result);
    RETURN NEW;
END $body$;
REVOKE ALL ON FUNCTION runs_result_adopt() FROM PUBLIC;
CREATE TRIGGER runs_result_adopt BEFORE UPDATE OF result ON runs_run
    FOR EACH ROW WHEN (NEW.result IS NOT NULL AND NEW.result_month IS NULL)
    EXECUTE FUNCTION runs_result_adopt();
"""
NO_ADOPT = "DROP TRIGGER runs_result_adopt ON runs_run; DROP FUNCTION runs_result_adopt;"
NOTHING = migrations.RunSQL.noop


class Migration(migrations.Migration):
    dependencies = [("runs", "0007_lists"), ("studies", "0004_steps_and_tags")]

    # The next release drops the column and its index.
    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(MONTH, "ALTER TABLE runs_run DROP COLUMN result_month"),
                migrations.RunSQL(RESULTS, "DROP TABLE runs_result"),
                *partitioned("runs_result", used=USED, moved=MOVED),
                migrations.RunSQL(TAKEN, NOTHING),
                migrations.RunSQL(INDEX, NOTHING),
                migrations.RunSQL(ADOPT, NO_ADOPT),
            ],
            state_operations=[
                migrations.RemoveIndex("run", "run_to_reuse"),
                migrations.RemoveField("run", "result"),
                migrations.AddField(
                    "run", "result_month", models.DateField(editable=False, null=True)
                ),
                migrations.AddIndex(
                    "run",
                    models.Index(
                        condition=models.Q(("result_month__isnull", False)),
                        fields=["workspace", "inputs_hash"],
                        name="run_to_answer",
                    ),
                ),
                migrations.CreateModel(
                    name="Result",
                    fields=[
                        (
                            "pk",
                            models.CompositePrimaryKey(
                                "run_id",
                                "month",
                                blank=True,
                                editable=False,
                                primary_key=True,
                                serialize=False,
                            ),
                        ),
                        ("run_id", models.UUIDField()),
                        ("month", models.DateField(default=common.partitions.this_month)),
                        ("data", models.JSONField(decoder=studies.documents.JSONReader)),
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
            ],
        ),
    ]
