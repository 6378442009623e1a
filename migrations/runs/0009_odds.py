"""In which share of the simulations each design of a kept run is cheapest, for its timeline."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("runs", "0008_results_by_month")]

    operations = [
        migrations.AddField("run", "odds", models.JSONField(null=True)),
    ]
