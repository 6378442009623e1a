"""Sign-in by SAML: what a provider said, until the browser that asked takes it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0015_number_format")]

    operations = [
        migrations.CreateModel(
            name="SamlAnswer",
            fields=[
                (
                    "assertion_hash",
                    models.CharField(max_length=64, primary_key=True, serialize=False),
                ),
                ("code_hash", models.CharField(max_length=64, unique=True)),
                ("request_id", models.CharField(max_length=200)),
                ("said", models.JSONField(null=True)),
                ("made_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
            ],
            options={"db_table": 'identity"."accounts_samlanswer'},
        ),
    ]
