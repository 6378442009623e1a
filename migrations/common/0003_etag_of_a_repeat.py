"""Keeps the tag of an answer, for whoever repeats its request by its key."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("common", "0002_row_level_security")]

    operations = [
        migrations.AddField(
            model_name="idempotencykey",
            name="etag",
            field=models.CharField(db_default="", default="", max_length=200),
        ),
    ]
