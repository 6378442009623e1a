"""Monthly partitions of leaf tables, as steps of a migration.

A leaf table has no foreign key into it and a column ``month``, by which it is cut. Rows that no
month carries off are of the month ``KEPT``. What belongs to no partition that is there, because
nobody made one in time, goes to a default one and is not lost.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from django.db import connection, migrations

from common.rls import definer_function, workspace_rls

if TYPE_CHECKING:
    from datetime import datetime

KEPT = date(1970, 1, 1)
_FIRST = date(1980, 1, 1)

_SHUT = """
ALTER TABLE {part} ENABLE ROW LEVEL SECURITY;
ALTER TABLE {part} FORCE ROW LEVEL SECURITY;
CREATE POLICY workspace_isolation ON {part}
    USING (workspace_id = NULLIF(current_setting('app.workspace', true), '')::uuid)
    WITH CHECK (workspace_id = NULLIF(current_setting('app.workspace', true), '')::uuid);
"""
# A lock that is not to be had in two seconds is tried for again an hour later.
_AHEAD = """
DECLARE
    first date; part text; made integer := 0;
BEGIN
    PERFORM set_config('lock_timeout', '2s', true);
    FOR step IN 0..2 LOOP
        first := date_trunc('month', p_now AT TIME ZONE 'UTC') + make_interval(months => step);
        part := format('{table}_%s', to_char(first, 'YYYY_MM'));
        CONTINUE WHEN to_regclass(part) IS NOT NULL;
        -- what came before its partition did is kept, as nothing carries the default one off
        UPDATE {table} SET month = '{kept}'
        WHERE month >= first AND month < first + interval '1 month';
        EXECUTE format('CREATE TABLE %I PARTITION OF {table} FOR VALUES FROM (%L) TO (%L)',
            part, first, first + interval '1 month');
        EXECUTE replace($shut${shut}$shut$, '{{part}}', quote_ident(part));
        made := made + 1;
    END LOOP;
    RETURN made;
END
"""
# Never the present month or the one before, whatever is asked for.
_RETIRE = """
DECLARE
    part record; dropped integer := 0;
BEGIN
    PERFORM set_config('lock_timeout', '2s', true);
    p_before := LEAST(p_before, now() - interval '1 month');
    FOR part IN
        SELECT c.relname AS name, to_date(right(c.relname, 7), 'YYYY_MM') AS first
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = '{table}'::regclass AND c.relname ~ '_[0-9]{{4}}_[0-9]{{2}}$'
        ORDER BY 2
    LOOP
        CONTINUE WHEN part.first + interval '1 month' > p_before AT TIME ZONE 'UTC';
        UPDATE {table} t SET month = '{kept}' WHERE t.month = part.first AND {used};
        EXECUTE format('DROP TABLE %I', part.name);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END
"""


def partitioned(table: str, *, used: str) -> list[migrations.RunSQL]:
    """Return the steps that cut a table made with ``PARTITION BY RANGE (month)`` by months.

    Parameters
    ----------
    used
        Condition on a row ``t`` that somebody still needs: it outlives its month.
    """
    kept, stray = f"{table}_kept", f"{table}_stray"
    parts = f"""
        CREATE TABLE {kept} PARTITION OF {table} FOR VALUES FROM (MINVALUE) TO ('{_FIRST}');
        CREATE TABLE {stray} PARTITION OF {table} DEFAULT;
    """ + "".join(_SHUT.format(part=part) for part in (kept, stray))
    ahead = _AHEAD.format(table=table, kept=KEPT, shut=_SHUT)
    retire = _RETIRE.format(table=table, kept=KEPT, used=used)
    return [
        workspace_rls(table, crossing=True),
        migrations.RunSQL(parts, migrations.RunSQL.noop),
        definer_function(
            f"{table}_ahead", "p_now timestamptz", "integer", ahead, language="plpgsql"
        ),
        definer_function(
            f"{table}_retire", "p_before timestamptz", "integer", retire, language="plpgsql"
        ),
        migrations.RunSQL(f"SELECT {table}_ahead(now())", migrations.RunSQL.noop),
    ]


def partitions_ahead(table: str, now: datetime) -> int:
    """Make the partitions of this month and the next two; return how many were missing."""
    return _call(f"SELECT {table}_ahead(%s)", now)


def partitions_retire(table: str, before: datetime) -> int:
    """Drop the months that ended before; what somebody still needs is kept."""
    return _call(f"SELECT {table}_retire(%s)", before)


def _call(query: str, at: datetime) -> int:
    with connection.cursor() as cursor:
        cursor.execute(query, [at])
        return int(cursor.fetchone()[0])
