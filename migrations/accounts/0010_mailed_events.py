"""Events that a member chose to be mailed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0009_leaving")]

    operations = [
        migrations.AddField(
            model_name="member",
            name="mailed_events",
            field=models.JSONField(db_default=[], default=list),
        ),
    ]
