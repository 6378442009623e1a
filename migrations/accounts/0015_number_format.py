"""How a member writes numbers: what decides 1,234."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0014_identity")]

    operations = [
        migrations.AddField(
            "member",
            "number_format",
            # written by processes of the release before as well, which do not know it
            models.CharField(blank=True, db_default="", default="", max_length=10),
        ),
    ]
