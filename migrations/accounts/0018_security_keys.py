"""Security keys instead of one-time codes."""

import uuid

from django.db import migrations, models

# They go with the user, by a function that knows nothing of these tables.
GO_WITH_THE_USER = """
ALTER TABLE identity.accounts_securitykey ADD CONSTRAINT security_key_user
FOREIGN KEY (user_id) REFERENCES identity.accounts_user (id) ON DELETE CASCADE;
ALTER TABLE identity.accounts_keychallenge ADD CONSTRAINT key_challenge_user
FOREIGN KEY (user_id) REFERENCES identity.accounts_user (id) ON DELETE CASCADE;
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0017_provisioning")]

    operations = [
        migrations.CreateModel(
            name="SecurityKey",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("user_id", models.UUIDField(db_index=True)),
                ("credential_hash", models.CharField(max_length=64, unique=True)),
                ("credential", models.BinaryField()),
                ("sign_count", models.BigIntegerField(default=0)),
                ("title", models.CharField(max_length=100)),
                ("created_at", models.DateTimeField()),
                ("last_used_at", models.DateTimeField(null=True)),
            ],
            options={"db_table": 'identity"."accounts_securitykey'},
        ),
        migrations.CreateModel(
            name="KeyChallenge",
            fields=[
                (
                    "challenge_hash",
                    models.CharField(max_length=64, primary_key=True, serialize=False),
                ),
                ("user_id", models.UUIDField(db_index=True)),
                (
                    "purpose",
                    models.CharField(
                        choices=[("register", "Register"), ("use", "Use")], max_length=10
                    ),
                ),
                ("expires_at", models.DateTimeField()),
            ],
            options={"db_table": 'identity"."accounts_keychallenge'},
        ),
        migrations.RunSQL(GO_WITH_THE_USER, migrations.RunSQL.noop),
    ]
