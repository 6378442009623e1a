"""Sign-in by OpenID Connect: who a subject is, and memberships that a group gave."""

from django.db import migrations, models

from common.rls import definer_function

# The person goes by a function that knows nothing of this table: the key takes the row along.
GOES_WITH_THE_USER = """
ALTER TABLE accounts_openidsubject ADD CONSTRAINT openid_subject_user
FOREIGN KEY (user_id) REFERENCES accounts_user (id) ON DELETE CASCADE
"""
INVITED = (
    "TABLE (id uuid, workspace_id uuid, workspace_name text, role text, email text, "
    "invited_by text, expires_at timestamptz, is_mailed boolean)"
)
QUERY = """
    SELECT i.id, w.id, w.name::text, i.role::text, i.email::text, i.invited_by::text,
           i.expires_at, false
    FROM accounts_invitation i JOIN accounts_workspace w ON w.id = i.workspace_id
    WHERE i.email = p_email AND p_email <> ''
      AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > p_now
    ORDER BY i.created_at, i.id LIMIT 1
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0010_mailed_events")]

    operations = [
        migrations.AddField(
            "member", "by_group", models.BooleanField(db_default=False, default=False)
        ),
        migrations.CreateModel(
            name="OpenIdSubject",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("issuer", models.CharField(max_length=500)),
                ("subject", models.CharField(max_length=255)),
                ("user_id", models.UUIDField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("issuer", "subject"), name="openid_subject_once"
                    )
                ],
            },
        ),
        migrations.RunSQL(GOES_WITH_THE_USER, migrations.RunSQL.noop),
        definer_function(
            "accounts_invited_by_email", "p_email text, p_now timestamptz", INVITED, QUERY
        ),
    ]
