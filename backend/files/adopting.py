"""Takes over the tables of pieces that each app had of its own, as a step of a migration.

The tables stay until the next release, as processes of the one before may run beside this one:
what they still write there is taken over by a trigger, and what they delete goes here as well.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import migrations

from files.models import BY_MONTH

# A piece of its own with its length before it, as ``files.frames`` reads them.
FRAMED = "int4send(octet_length({0})) || {0}"

_STEPS = """
ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY;
WITH found AS (
    SELECT gen_random_uuid() AS id, workspace_id, {owner} AS job_id,
           sum(octet_length({data}))::bigint AS size
    FROM {table} old GROUP BY workspace_id, {owner}
)
INSERT INTO files_file (id, workspace_id, job_id, kind, storage, name, bytes_count, created_at)
SELECT id, workspace_id, job_id, '{kind}', 'database', workspace_id || '/{kind}/' || id, size, now()
FROM found;
INSERT INTO files_piece (workspace_id, file_id, position, month, data)
SELECT old.workspace_id, f.id,
       row_number() OVER (PARTITION BY f.id ORDER BY {order}) - 1, {month}, {data}
FROM {table} old JOIN files_file f ON f.job_id = {owner} AND f.kind = '{kind}';
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE {table} FORCE ROW LEVEL SECURITY;

CREATE FUNCTION {table}_adopt() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $body$
DECLARE
    fresh uuid := gen_random_uuid(); file uuid; old {table} := NEW;
BEGIN
    INSERT INTO files_file AS f
        (id, workspace_id, job_id, kind, storage, name, bytes_count, created_at)
    VALUES (fresh, old.workspace_id, {owner}, '{kind}', 'database',
            old.workspace_id || '/{kind}/' || fresh, octet_length({data}), now())
    ON CONFLICT (job_id, kind) DO UPDATE SET bytes_count = f.bytes_count + EXCLUDED.bytes_count
    RETURNING f.id INTO file;
    INSERT INTO files_piece (workspace_id, file_id, position, month, data)
    SELECT old.workspace_id, file, COALESCE(max(p.position) + 1, 0), {month}, {data}
    FROM files_piece p WHERE p.file_id = file;
    RETURN NULL;
END $body$;
REVOKE ALL ON FUNCTION {table}_adopt() FROM PUBLIC;
CREATE TRIGGER {table}_adopt AFTER INSERT ON {table}
    FOR EACH ROW EXECUTE FUNCTION {table}_adopt();

-- The release before knows which rows go with which, this one leaves it to the database. What
-- is there was valid before, and the owner could not look: the policies hide the parents.
DO $body$
DECLARE
    key text := (SELECT conname FROM pg_constraint WHERE conrelid = '{table}'::regclass
                 AND contype = 'f' AND confrelid = '{parent}'::regclass);
BEGIN
    EXECUTE format('ALTER TABLE {table} DROP CONSTRAINT %I', key);
    EXECUTE format('ALTER TABLE {table} ADD CONSTRAINT %I FOREIGN KEY ({column}) '
        'REFERENCES {parent} (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED NOT VALID', key);
END $body$;
"""


@dataclass(frozen=True, slots=True)
class Pieces:
    """A table of pieces of the release before, whose rows ``old`` belong to ``column``."""

    table: str
    parent: str
    column: str
    kind: str
    order: str = "old.position"
    data: str = "old.data"


def adopted(pieces: Pieces) -> migrations.RunSQL:
    """Return the step that takes over what a table has, and what will still be put there."""
    month = "date_trunc('month', now())::date" if pieces.kind in BY_MONTH else "'1970-01-01'::date"
    script = _STEPS.format(
        table=pieces.table,
        parent=pieces.parent,
        column=pieces.column,
        owner=f"old.{pieces.column}",
        kind=pieces.kind,
        order=pieces.order,
        data=f"({pieces.data})",
        month=month,
    )
    name = f"{pieces.table}_adopt"
    undo = f"DROP TRIGGER {name} ON {pieces.table}; DROP FUNCTION {name};"
    return migrations.RunSQL(script, undo)
