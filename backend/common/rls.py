"""Row-level security, as steps of a migration."""

from __future__ import annotations

from django.db import migrations

_MINE = "{column} = NULLIF(current_setting('app.workspace', true), '')::uuid"

_ENABLE = """
ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
CREATE POLICY workspace_isolation ON {table} USING ({mine}) WITH CHECK ({mine});
"""
_SHARED = """
CREATE POLICY shared_rows ON {table} FOR SELECT USING ({column} IS NULL);
"""
_CROSSING = """
CREATE POLICY owner_crossing ON {table} TO CURRENT_USER USING (true) WITH CHECK (true);
"""
_DISABLE = """
DROP POLICY IF EXISTS owner_crossing ON {table};
DROP POLICY IF EXISTS shared_rows ON {table};
DROP POLICY workspace_isolation ON {table};
ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY;
ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;
"""


def workspace_rls(
    table: str,
    *,
    column: str = "workspace_id",
    mine: str = _MINE,
    shared: bool = False,
    crossing: bool = False,
) -> migrations.RunSQL:
    """Return the step that shuts a table to all but the entered workspace.

    The setting is an empty string, not NULL, on a reused connection: hence NULLIF.

    Parameters
    ----------
    mine
        Another condition than ``column`` being the workspace.
    shared
        Rows without a workspace may be read by all; only the owner writes them.
    crossing
        The owner's SECURITY DEFINER functions, and the loaders that run as the owner,
        reach all rows. Without it not even the owner sees a row.
    """
    names = {"table": table, "column": column, "mine": mine.format(column=column)}
    script = _ENABLE + (_SHARED if shared else "") + (_CROSSING if crossing or shared else "")
    return migrations.RunSQL(script.format(**names), _DISABLE.format(**names))


def definer_function(
    name: str,
    arguments: str,
    returns: str,
    body: str,
    *,
    language: str = "sql",
    schemas: str = "public",
) -> migrations.RunSQL:
    """Return the step that creates a function which crosses workspaces as the owner.

    Nobody may call it until the app role is granted it after migrating; its search
    path is fixed, so that no caller can slip other tables in.
    """
    return migrations.RunSQL(
        f"""
        CREATE FUNCTION {name}({arguments}) RETURNS {returns}
        LANGUAGE {language} SECURITY DEFINER SET search_path = {schemas}, pg_temp
        AS $body${body}$body$;
        REVOKE ALL ON FUNCTION {name} FROM PUBLIC;
        """,
        f"DROP FUNCTION {name};",
    )
