from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("imports", "0003_files")]

    operations = [
        migrations.AddField(
            model_name="import",
            name="names",
            field=models.CharField(default="keep", max_length=10),
        ),
    ]
