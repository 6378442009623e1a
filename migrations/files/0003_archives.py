from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("files", "0002_uploads")]

    operations = [
        migrations.AlterField(
            "file",
            "kind",
            models.CharField(
                choices=[
                    ("upload", "Upload"),
                    ("trace", "Trace"),
                    ("series", "Series"),
                    ("report", "Report"),
                    ("archive", "Archive"),
                ],
                max_length=10,
            ),
        ),
    ]
