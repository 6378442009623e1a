"""Sessions that know their user; Django's own table goes."""

from django.db import migrations, models

from common.rls import definer_function

FOUND = (
    "TABLE (session_data text, user_id uuid, email text, password text, workspace_id uuid, "
    "workspace_name text)"
)
FOUND_QUERY = """
    SELECT s.session_data, a.*
    FROM accounts_session s
    LEFT JOIN LATERAL accounts_by_id(s.user_id) a ON true
    WHERE s.session_key = p_key AND s.expire_date > p_now
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_row_level_security")]

    operations = [
        migrations.CreateModel(
            name="Session",
            fields=[
                (
                    "session_key",
                    models.CharField(
                        max_length=40,
                        primary_key=True,
                        serialize=False,
                        verbose_name="session key",
                    ),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                ("user_id", models.UUIDField(null=True)),
            ],
            options={"verbose_name": "session", "verbose_name_plural": "sessions"},
        ),
        migrations.RunSQL("DROP TABLE IF EXISTS django_session", migrations.RunSQL.noop),
        definer_function(
            "accounts_by_session", "p_key text, p_now timestamptz", FOUND, FOUND_QUERY
        ),
    ]
