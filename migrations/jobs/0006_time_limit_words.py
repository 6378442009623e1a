"""Says of a time limit what everything else says of it."""

from django.db import migrations

OLD = "This took longer than the %s s that it may."
NEW = "Time limit of %s s exceeded."


def worded(old: str, new: str) -> str:
    """The function of the reaper again, with another sentence; its owner and grants stay."""
    return f"""
    DO $do$ BEGIN
        EXECUTE replace(pg_get_functiondef('jobs_reap'::regproc), '{old}', '{new}');
    END $do$;
    """


class Migration(migrations.Migration):
    dependencies = [("jobs", "0005_turns")]

    operations = [
        migrations.RunSQL(worded(OLD, NEW), worded(NEW, OLD)),
    ]
