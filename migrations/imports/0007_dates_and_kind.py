from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("imports", "0006_read_key")]

    operations = [
        migrations.AddField(
            model_name="import",
            name="dates",
            # written by processes of the release before as well, which do not know it
            field=models.CharField(blank=True, db_default="", default="", max_length=12),
        ),
        migrations.AddField(
            model_name="import",
            name="kind",
            field=models.CharField(blank=True, db_default="", default="", max_length=20),
        ),
    ]
