"""What the last search of the catalogue said of a study's designs is kept with it."""

from django.db import migrations, models

from studies.documents import JSONReader


class Migration(migrations.Migration):
    dependencies = [("studies", "0006_packs_and_dates")]

    operations = [
        migrations.AddField(
            "study",
            "searched",
            models.JSONField(decoder=JSONReader, null=True, default=None, editable=False),
        ),
    ]
