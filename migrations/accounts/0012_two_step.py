"""Codes of an authenticator after the password, and recovery codes instead of them."""

from django.db import migrations, models

# They go with the user, by a function that knows nothing of these tables.
GO_WITH_THE_USER = """
ALTER TABLE accounts_authenticator ADD CONSTRAINT authenticator_user
FOREIGN KEY (user_id) REFERENCES accounts_user (id) ON DELETE CASCADE;
ALTER TABLE accounts_recoverycode ADD CONSTRAINT recovery_code_user
FOREIGN KEY (user_id) REFERENCES accounts_user (id) ON DELETE CASCADE;
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0011_openid")]

    operations = [
        migrations.CreateModel(
            name="Authenticator",
            fields=[
                ("user_id", models.UUIDField(primary_key=True, serialize=False)),
                ("sealed_secret", models.CharField(max_length=200)),
                ("confirmed_at", models.DateTimeField(null=True)),
                ("last_step", models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="RecoveryCode",
            fields=[
                ("code_hash", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("user_id", models.UUIDField(db_index=True)),
            ],
        ),
        migrations.RunSQL(GO_WITH_THE_USER, migrations.RunSQL.noop),
    ]
