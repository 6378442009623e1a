from django.db import migrations

from files.adopting import Pieces, adopted


class Migration(migrations.Migration):
    dependencies = [("imports", "0002_row_level_security"), ("files", "0001_initial")]

    # The next release drops the table.
    operations = [
        adopted(Pieces("imports_importupload", "imports_import", "file_import_id", "upload")),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel(name="ImportUpload")],
        ),
    ]
