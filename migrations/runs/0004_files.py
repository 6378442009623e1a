from django.db import migrations

from files.adopting import FRAMED, Pieces, adopted

# As ``runs.work`` writes them: pointer, NUL, values.
SERIES = r"convert_to(old.pointer, 'UTF8') || '\x00'::bytea || old.data"


class Migration(migrations.Migration):
    dependencies = [("runs", "0003_moved"), ("files", "0001_initial")]

    # The next release drops the table.
    operations = [
        adopted(
            Pieces(
                "runs_resultchunk",
                "runs_run",
                "run_id",
                "series",
                order="old.pointer, old.position",
                data=FRAMED.format(f"({SERIES})"),
            )
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel(name="ResultChunk")],
        ),
    ]
