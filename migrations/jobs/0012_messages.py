"""A job that waits is nobody's turn before a message of its own was sent.

It would be done on the message of another job, which then had none.
"""

from django.db import migrations

_TURN = "({0}.waits_until IS NULL OR {0}.waits_until <= p_now)"
_SENT_TURN = (
    "({0}.waits_until IS NULL OR {0}.waits_until <= p_now AND {0}.resend_at > {0}.waits_until)"
)
_REAP = "OR resend_at < p_now - interval ''10 minutes'')"
# Of what waited it is certain that no message is under way, however many others are.
_SENT_REAP = "OR resend_at < p_now - interval ''10 minutes'' OR resend_at = waits_until)"
_CHANGES = (
    ("jobs_turn", _TURN.format("j"), _SENT_TURN.format("j")),
    ("jobs_others_wait", _TURN.format("other"), _SENT_TURN.format("other")),
    ("jobs_reap", _REAP, _SENT_REAP),
)


def replaced(name: str, old: str, new: str) -> str:
    """The function again, with another condition; its owner and grants stay."""
    return f"""
    DO $do$
    DECLARE v_was text := pg_get_functiondef('{name}'::regproc);
    BEGIN
        IF position('{old}' IN v_was) = 0 THEN
            RAISE EXCEPTION '{name} is not as expected';
        END IF;
        EXECUTE replace(v_was, '{old}', '{new}');
    END $do$;
    """


class Migration(migrations.Migration):
    dependencies = [("jobs", "0011_secrets")]

    operations = [
        migrations.RunSQL(replaced(name, old, new), replaced(name, new, old))
        for name, old, new in _CHANGES
    ]
