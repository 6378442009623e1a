"""Finds entries by words without reading all of them.

LIKE is not leak-proof: under row-level security it is asked of each row that a policy lets
through, never of an index. So the words are looked for by a function of the owner's, which
names the same rows as the policies do, and the app role filters by the ids that it returns.
"""

from django.db import migrations, models

from common.rls import definer_function

# Where the extension is not to be had, words are looked for in every row.
TRIGRAMS = """
DO $body$
BEGIN
    CREATE SCHEMA IF NOT EXISTS trigrams;
    CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA trigrams;
    CREATE INDEX entry_by_trigrams ON catalogue_entry
        USING gin (search_text trigrams.gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
    RAISE WARNING 'Words are searched without an index: %', SQLERRM;
END $body$;
"""
NO_TRIGRAMS = "DROP INDEX IF EXISTS entry_by_trigrams;"

# Which patterns they are is known when it is planned only if they stand in the text.
FOUND = """
DECLARE
    found uuid[];
BEGIN
    EXECUTE (
        SELECT 'SELECT array_agg(id) FROM (SELECT id FROM catalogue_entry WHERE (workspace_id = '
            || 'NULLIF(current_setting(''app.workspace'', true), '''')::uuid '
            || 'OR workspace_id IS NULL) AND '
            || string_agg(format('search_text LIKE %L', pattern), ' AND ') || ' LIMIT $1) entry'
        FROM unnest(p_patterns) pattern
    ) INTO found USING p_most + 1;
    IF cardinality(found) > p_most THEN
        RETURN NULL;
    END IF;
    RETURN COALESCE(found, '{}');
END
"""
# The planner has no figures for rows behind a policy, and would read them all.
BY_INDEX = """
ALTER FUNCTION catalogue_found STABLE;
ALTER FUNCTION catalogue_found SET enable_seqscan = off;
ALTER FUNCTION catalogue_found SET enable_indexscan = off;
ALTER FUNCTION catalogue_found SET enable_indexonlyscan = off;
"""


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0003_keys")]

    operations = [
        migrations.RunSQL(TRIGRAMS, NO_TRIGRAMS),
        definer_function(
            "catalogue_found",
            "p_patterns text[], p_most integer",
            "uuid[]",
            FOUND,
            language="plpgsql",
        ),
        migrations.RunSQL(BY_INDEX, migrations.RunSQL.noop),
        *(
            migrations.AddIndex("entry", models.Index(fields=("kind", *names), name=name))
            for name, names in {
                "entry_by_provider": ("provider", "region"),
                "entry_by_region": ("region",),
            }.items()
        ),
    ]
