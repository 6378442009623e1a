"""Monthly partitions of leaf tables, as steps of a migration.

A leaf table has no foreign key into it and a column ``month``, by which it is cut. Rows that no
month carries off are of the month ``KEPT``. What belongs to no partition that is there, because
nobody made one in time, goes to a default one and is not lost.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from django.db import connection, migrations
from django.utils import timezone

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
        {moved};
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
        UPDATE {table} t SET month = '{kept}' WHERE t.month = part.first AND ({used});
        {moved};
        EXECUTE format('DROP TABLE %I', part.name);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END
"""


def this_month() -> date:
    """Return the month that a row of today belongs to."""
    return timezone.now().date().replace(day=1)


def partitioned(table: str, *, used: str, moved: str = "NULL") -> list[migrations.RunSQL]:
    """Return the steps that cut a table made with ``PARTITION BY RANGE (month)`` by months.

    Parameters
    ----------
    used
        Condition on a row ``t`` that somebody still needs: it outlives its month, which ends
        at ``p_before`` or earlier.
    moved
        What else is to be done when rows became of the month ``KEPT``.
    """
    kept, stray = f"{table}_kept", f"{table}_stray"
    parts = f"""
        CREATE TABLE {kept} PARTITION OF {table} FOR VALUES FROM (MINVALUE) TO ('{_FIRST}');
        CREATE TABLE {stray} PARTITION OF {table} DEFAULT;
    """ + "".join(_SHUT.format(part=part) for part in (kept, stray))
    ahead = _AHEAD.format(table=table, kept=KEPT, shut=_SHUT, moved=moved)
    retire = _RETIRE.format(table=table, kept=KEPT, used=used, moved=moved)
    return [
        workspace_rls(table, crossing=True),
        migrations.RunSQL(parts, migrations.RunSQL.noop),
        definer_function(
            f"{table}_ahead", "p_now timestamptz", "integer", ahead, language="plpgsql"
        ),
        definer_function(
            f"{table}_retire", "p_before timestamptz", "integer", retire, language="plpgsql"
        ),
        migrations.RunSQL(
            # what it sets holds to the end of the transaction, which is the migration's
            f"SELECT {table}_ahead(now()); SET LOCAL lock_timeout TO DEFAULT",
            migrations.RunSQL.noop,
        ),
    ]


def cut_up(table: str, *, key: str, used: str, indexes: tuple[str, ...]) -> list[migrations.RunSQL]:
    """Return the steps that make a whole table one of monthly partitions, with what it holds.

    A process of the release before writes on, without a month: that is of the present one.

    Parameters
    ----------
    key
        What is added to the columns: their foreign keys.
    """
    whole = f"{table}_whole"
    begin = f"""
        ALTER TABLE {table} RENAME TO {whole};
        ALTER TABLE {whole} NO FORCE ROW LEVEL SECURITY;
        CREATE TABLE {table} (
            LIKE {whole},
            month date NOT NULL DEFAULT date_trunc('month', now() AT TIME ZONE 'UTC')::date,
            PRIMARY KEY (id, month){key}
        ) PARTITION BY RANGE (month);
    """
    months = "date_trunc('month', created_at AT TIME ZONE 'UTC')"
    fill = f"""
        SELECT {table}_ahead(found.month AT TIME ZONE 'UTC')
        FROM (SELECT DISTINCT {months} AS month FROM {whole}) found;
        SET LOCAL lock_timeout TO DEFAULT;
        INSERT INTO {table} SELECT w.*, {months}::date FROM {whole} w;
        SET CONSTRAINTS ALL IMMEDIATE;
        DROP TABLE {whole};
    """ + "".join(f"CREATE INDEX {index};" for index in indexes)
    return [
        migrations.RunSQL(begin),
        *partitioned(table, used=used),
        migrations.RunSQL(fill),
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
