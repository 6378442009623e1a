from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("files", "0003_archives")]

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
                    ("sweep", "Sweep"),
                ],
                max_length=10,
            ),
        ),
    ]
