"""Mail, the links in it, and addresses that were shown to be somebody's own."""

import uuid

from django.db import migrations, models

from common.rls import definer_function

# The one before stays for processes of the release before, while they still run.
INVITED = (
    "TABLE (id uuid, workspace_id uuid, workspace_name text, role text, email text, "
    "invited_by text, expires_at timestamptz, is_mailed boolean)"
)
QUERY = """
    SELECT i.id, w.id, w.name::text, i.role::text, i.email::text, i.invited_by::text,
           i.expires_at, i.mailed_hash = p_hash
    FROM accounts_invitation i JOIN accounts_workspace w ON w.id = i.workspace_id
    WHERE (i.token_hash = p_hash OR i.mailed_hash = p_hash)
      AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > p_now
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0007_audit_by_month")]

    operations = [
        migrations.AddField("user", "verified_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "invitation",
            "mailed_hash",
            models.CharField(blank=True, db_default="", db_index=True, max_length=64),
        ),
        migrations.CreateModel(
            name="MailedLink",
            fields=[
                (
                    "token_hash",
                    models.CharField(max_length=64, primary_key=True, serialize=False),
                ),
                (
                    "purpose",
                    models.CharField(
                        choices=[("sign_up", "Sign Up"), ("reset", "Reset"), ("verify", "Verify")],
                        max_length=10,
                    ),
                ),
                ("email", models.CharField(max_length=254)),
                ("expires_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Mail",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("to", models.CharField(max_length=254)),
                ("about", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("due_at", models.DateTimeField()),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("ended_at", models.DateTimeField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("ended_at", None)), fields=["due_at"], name="mail_due"
                    )
                ],
            },
        ),
        definer_function("accounts_invited", "p_hash text, p_now timestamptz", INVITED, QUERY),
    ]
