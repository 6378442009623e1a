"""How far a break-even has to move for a member to be mailed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0012_two_step")]

    operations = [
        migrations.AddField(
            "member", "break_even_months", models.FloatField(db_default=3.0, default=3.0)
        ),
    ]
