from django.db import migrations

from common.rls import definer_function


class Migration(migrations.Migration):
    dependencies = [("jobs", "0003_worker")]

    operations = [
        # jobs_counts stays for the release before, until that runs nowhere.
        definer_function(
            "jobs_load",
            "p_now timestamptz",
            "TABLE (queue text, kind text, state text, count bigint, oldest_s double precision)",
            """SELECT queue::text, kind::text, state::text, count(*),
                      EXTRACT(epoch FROM p_now - min(submitted_at))::double precision
               FROM jobs_job WHERE state IN ('queued', 'running') GROUP BY 1, 2, 3;""",
        ),
    ]
