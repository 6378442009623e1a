from django.db import migrations

# What a job needs to know in confidence is sealed, and gone once it has ended, whoever ended it.
FORGET = """
CREATE FUNCTION jobs_forget_secret() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    NEW.payload := NEW.payload - 'secret';
    RETURN NEW;
END $body$;
CREATE TRIGGER jobs_secret BEFORE UPDATE ON jobs_job FOR EACH ROW
    WHEN (NEW.ended_at IS NOT NULL AND NEW.payload ? 'secret')
    EXECUTE FUNCTION jobs_forget_secret();
UPDATE jobs_job SET payload = payload - 'secret' WHERE ended_at IS NOT NULL AND payload ? 'secret';
"""
NO_FORGET = """
DROP TRIGGER jobs_secret ON jobs_job;
DROP FUNCTION jobs_forget_secret;
"""


class Migration(migrations.Migration):
    dependencies = [("jobs", "0010_computed")]

    operations = [migrations.RunSQL(FORGET, NO_FORGET)]
