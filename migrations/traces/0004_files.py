from django.db import migrations

from files.adopting import FRAMED, Pieces, adopted

COLUMNS = Pieces(
    "traces_tracechunk", "traces_trace", "trace_id", "trace", data=FRAMED.format("old.data")
)


class Migration(migrations.Migration):
    dependencies = [("traces", "0003_fleet"), ("files", "0001_initial")]

    # The next release drops the tables.
    operations = [
        adopted(COLUMNS),
        adopted(Pieces("traces_traceupload", "traces_trace", "trace_id", "upload")),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name="TraceChunk"),
                migrations.DeleteModel(name="TraceUpload"),
            ],
        ),
    ]
