from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("imports", "0004_names")]

    operations = [
        migrations.AddField(
            model_name="import",
            name="source",
            field=models.JSONField(null=True),
        ),
    ]
