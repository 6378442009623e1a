from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("imports", "0005_source")]

    operations = [
        migrations.AddField(
            model_name="import",
            name="read_key",
            field=models.CharField(blank=True, default="", editable=False, max_length=64),
        ),
        migrations.AddIndex(
            model_name="import",
            index=models.Index(fields=["workspace", "read_key"], name="import_by_file"),
        ),
    ]
