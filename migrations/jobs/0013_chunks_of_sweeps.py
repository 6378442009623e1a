"""A sweep that was stopped, or failed, keeps its chunks: it may be taken up again."""

from django.db import migrations

_DROP = """
CREATE OR REPLACE FUNCTION jobs_drop_chunks() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    {condition}DELETE FROM jobs_chunk WHERE job_id = NEW.id;{end}
    RETURN NULL;
END $body$;
"""
KEEP = _DROP.format(
    condition="IF NEW.kind <> 'sweep' OR NEW.state = 'succeeded' THEN ", end=" END IF;"
)


class Migration(migrations.Migration):
    dependencies = [("jobs", "0012_messages")]

    operations = [migrations.RunSQL(KEEP, _DROP.format(condition="", end=""))]
