"""Gives entries their keys: what they are searched, filtered and sorted by."""

from typing import Any

from django.db import migrations, models

from catalogue.keys import KEYS, SORTED, keys_of


def fill(apps: Any, schema_editor: Any) -> None:
    """Take the keys of the entries that there are."""
    entries = apps.get_model("catalogue", "Entry").objects.using(schema_editor.connection.alias)
    batch = []
    for entry in entries.iterator(chunk_size=500):
        for name, value in keys_of(entry.kind, entry.slug, entry.title, entry.values).items():
            setattr(entry, name, value)
        batch.append(entry)
    entries.bulk_update(batch, KEYS, batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0002_row_level_security")]

    operations = [
        migrations.AddField("entry", "search_text", models.TextField(default="", editable=False)),
        *(
            migrations.AddField(
                "entry", name, models.CharField(default="", editable=False, max_length=60)
            )
            for name in ("provider", "region")
        ),
        *(
            migrations.AddField("entry", name, models.FloatField(editable=False, null=True))
            for name in ("price_usd", "cores_count", "ram_gib", "capacity_tb", "year")
        ),
        migrations.AddField("entry", "price_on", models.DateField(editable=False, null=True)),
        migrations.RunPython(fill, migrations.RunPython.noop),
        *(
            migrations.AddIndex(
                "entry", models.Index(fields=("kind", name, "id"), name=f"entry_by_{name}")
            )
            for name in SORTED
        ),
        migrations.AddIndex(
            "entry",
            models.Index(
                fields=("kind", "position", "id"),
                include=(
                    *("workspace", "search_text", "title", "provider", "region"),
                    *("price_usd", "price_on", "cores_count", "ram_gib", "capacity_tb", "year"),
                ),
                name="entry_keys",
            ),
        ),
    ]
