"""Only the hash of a session's key is kept; sessions that are open stay open."""

from django.db import migrations

HASHED = """
UPDATE accounts_session
SET session_key = substr(encode(sha256(convert_to(session_key, 'UTF8')), 'hex'), 1, 40)
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_session")]

    # Back: nobody knows the keys any more, so that everybody signs in again.
    operations = [migrations.RunSQL(HASHED, "DELETE FROM accounts_session")]
