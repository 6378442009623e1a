"""People and groups that an identity provider told of, by SCIM."""

from uuid import uuid4

from django.db import migrations, models
from django.db.models.deletion import CASCADE
from django.db.models.functions import Lower

from common.rls import workspace_rls

# The person goes by a function that knows nothing of this table: the key takes the row along.
GOES_WITH_THE_USER = """
ALTER TABLE accounts_provisionedperson ADD CONSTRAINT provisioned_person_user
FOREIGN KEY (user_id) REFERENCES identity.accounts_user (id) ON DELETE CASCADE
DEFERRABLE INITIALLY DEFERRED
"""


def held():
    """Return the fields of both."""
    return [
        (
            "id",
            models.UUIDField(default=uuid4, editable=False, primary_key=True, serialize=False),
        ),
        ("external_id", models.CharField(blank=True, max_length=255)),
        ("created_at", models.DateTimeField(auto_now_add=True)),
        ("changed_at", models.DateTimeField(auto_now=True)),
        (
            "workspace",
            models.ForeignKey(
                editable=False, on_delete=CASCADE, related_name="+", to="accounts.workspace"
            ),
        ),
    ]


class Migration(migrations.Migration):
    dependencies = [("accounts", "0016_saml")]

    operations = [
        migrations.CreateModel(
            name="ProvisionedGroup",
            fields=[
                *held(),
                ("display_name", models.CharField(max_length=255)),
                (
                    "role",
                    models.CharField(
                        blank=True,
                        choices=[("owner", "Owner"), ("editor", "Editor"), ("viewer", "Viewer")],
                        max_length=10,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("workspace"), Lower("display_name"), name="provisioned_group_once"
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="ProvisionedPerson",
            fields=[
                *held(),
                ("user_id", models.UUIDField()),
                ("user_name", models.CharField(max_length=254)),
                ("told", models.JSONField(default=dict)),
                ("groups", models.JSONField(default=list)),
                ("role_given", models.CharField(blank=True, max_length=10)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("workspace", "user_id"), name="provisioned_once"
                    ),
                    models.UniqueConstraint(
                        models.F("workspace"), Lower("user_name"), name="provisioned_name_once"
                    ),
                ]
            },
        ),
        migrations.RunSQL(GOES_WITH_THE_USER, migrations.RunSQL.noop),
        workspace_rls("accounts_provisionedgroup"),
        workspace_rls("accounts_provisionedperson"),
    ]
