from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0005_roles")]

    operations = [
        migrations.AddField(
            "workspace",
            "limits",
            # processes of the release before make workspaces without it
            models.JSONField(default=dict, db_default=models.Value({}, models.JSONField())),
        ),
    ]
