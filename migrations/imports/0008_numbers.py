"""Which sign stands before decimals in a file that leaves it open."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("imports", "0007_dates_and_kind")]

    operations = [
        migrations.AddField(
            model_name="import",
            name="numbers",
            # written by processes of the release before as well, which do not know it
            field=models.CharField(blank=True, db_default="", default="", max_length=10),
        ),
    ]
