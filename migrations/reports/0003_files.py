from django.db import migrations

from files.adopting import Pieces, adopted


class Migration(migrations.Migration):
    dependencies = [("reports", "0002_row_level_security"), ("files", "0001_initial")]

    # The next release drops the table.
    operations = [
        adopted(Pieces("reports_reportchunk", "reports_report", "report_id", "report")),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel(name="ReportChunk")],
        ),
    ]
