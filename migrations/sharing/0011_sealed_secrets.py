"""Seals the secrets of webhooks, which stood as they were.

A worker of the release before signs wrongly until it is replaced: what it sends is refused there,
and sent again by the new one.
"""

from django.db import migrations, models

from common.sealed import seal, unseal

# As `sharing.webhooks` has it.
_PURPOSE = "webhook"
_START = "whsec_"


def _rewritten(schema_editor, change) -> None:
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("ALTER TABLE sharing_webhook NO FORCE ROW LEVEL SECURITY")
        cursor.execute("SELECT id, secret FROM sharing_webhook")
        for webhook_id, secret in cursor.fetchall():
            values = [change(secret), webhook_id]
            cursor.execute("UPDATE sharing_webhook SET secret = %s WHERE id = %s", values)
        # what the rows' triggers wait with until the end would keep the table from being altered
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE sharing_webhook FORCE ROW LEVEL SECURITY")


def hide(_apps, schema_editor) -> None:
    """Seal what is not sealed yet."""

    def sealed(secret: str) -> str:
        return seal(secret, _PURPOSE) if secret.startswith(_START) else secret

    _rewritten(schema_editor, sealed)


def show(_apps, schema_editor) -> None:
    """Write the secrets as they are."""
    _rewritten(schema_editor, lambda secret: unseal(secret, _PURPOSE))


class Migration(migrations.Migration):
    dependencies = [("sharing", "0010_standard_webhooks")]

    operations = [
        migrations.AlterField("webhook", "secret", models.CharField(max_length=200)),
        migrations.RunPython(hide, show),
    ]
