"""A study follows a pack of assumptions, and can be held at the prices of a date."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("studies", "0005_baseline_provenance")]

    operations = [
        migrations.AddField("study", "pack", models.CharField(max_length=80, blank=True)),
        migrations.AddField("study", "pack_version", models.PositiveIntegerField(default=0)),
        migrations.AddField("study", "as_of", models.CharField(max_length=10, blank=True)),
    ]
