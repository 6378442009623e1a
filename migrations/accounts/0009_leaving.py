"""Workspaces and people that are to be deleted, and what deletes them once their time has come."""

from django.db import migrations, models

from common.rls import definer_function

# Every table of workspace data, also one that a later release adds. What a storage has of the
# files is removed by the rows of files_gone, which therefore go last, by themselves.
DELETE_WORKSPACE = """
DECLARE
    held text;
BEGIN
    PERFORM FROM accounts_workspace WHERE id = p_id AND deletes_at <= p_now FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM set_config('app.workspace', p_id::text, true);
    SET CONSTRAINTS ALL DEFERRED;
    FOR held IN
        SELECT c.oid::regclass::text FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
          AND NOT c.relispartition AND c.relname <> 'files_gone'
    LOOP
        EXECUTE format('DELETE FROM %s WHERE workspace_id = $1', held) USING p_id;
    END LOOP;
    UPDATE accounts_session SET workspace_id_chosen = NULL WHERE workspace_id_chosen = p_id;
    DELETE FROM accounts_mail WHERE about ->> 'workspace' = p_id::text;
    DELETE FROM accounts_workspace WHERE id = p_id;
    RETURN true;
END
"""
# An address stands in columns of 254 letters, in the words of the audit and in what programs are
# told. The policies of workspace data let the owner see one workspace at a time.
DELETE_PERSON = """
DECLARE
    address text; place record; held record; quoted text;
BEGIN
    SELECT email INTO address FROM accounts_user
    WHERE id = p_id AND deletes_at <= p_now FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    quoted := to_jsonb(address)::text;
    FOR place IN SELECT id FROM accounts_workspace LOOP
        PERFORM set_config('app.workspace', place.id::text, true);
        FOR held IN
            SELECT c.oid::regclass::text AS name, a.attname AS field FROM pg_class c
            JOIN pg_attribute w ON w.attrelid = c.oid AND w.attname = 'workspace_id'
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.atttypid = 'varchar'::regtype
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
              AND NOT c.relispartition AND a.atttypmod = 254 + 4 AND NOT a.attisdropped
        LOOP
            EXECUTE format(
                'UPDATE %1$s SET %2$I = $3 WHERE workspace_id = $1 AND'
                ' (%2$I = $2 OR left(%2$I, length($2) + 2) = $2 || '' ('')',
                held.name, held.field
            ) USING place.id, address, p_name;
        END LOOP;
        UPDATE accounts_auditentry SET
            target = replace(target, address, p_name),
            detail = replace(detail::text, quoted, to_jsonb(p_name)::text)::jsonb
        WHERE workspace_id = place.id
          AND (position(address in target) > 0 OR position(quoted in detail::text) > 0);
        UPDATE sharing_delivery SET
            payload = replace(payload::text, quoted, to_jsonb(p_name)::text)::jsonb
        WHERE workspace_id = place.id AND position(quoted in payload::text) > 0;
        DELETE FROM common_idempotencykey
        WHERE workspace_id = place.id AND position(quoted in body::text) > 0;
        DELETE FROM accounts_apitoken WHERE workspace_id = place.id AND created_by_id = p_id;
        DELETE FROM accounts_member WHERE workspace_id = place.id AND user_id = p_id;
    END LOOP;
    DELETE FROM accounts_session WHERE user_id = p_id;
    DELETE FROM accounts_signincode WHERE user_id = p_id;
    DELETE FROM accounts_mailedlink WHERE email = address;
    DELETE FROM accounts_mail WHERE accounts_mail.to = address;
    DELETE FROM accounts_user WHERE id = p_id;
    RETURN true;
END
"""
DUE = """
    SELECT 'workspace', id FROM accounts_workspace WHERE deletes_at <= p_now
    UNION ALL SELECT 'person', id FROM accounts_user WHERE deletes_at <= p_now
"""


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_mail"),
    ]

    operations = [
        migrations.AddField("workspace", "deletes_at", models.DateTimeField(null=True)),
        migrations.AddField("user", "deletes_at", models.DateTimeField(null=True)),
        definer_function(
            "accounts_workspace_delete",
            "p_id uuid, p_now timestamptz",
            "boolean",
            DELETE_WORKSPACE,
            language="plpgsql",
        ),
        definer_function(
            "accounts_person_delete",
            "p_id uuid, p_name text, p_now timestamptz",
            "boolean",
            DELETE_PERSON,
            language="plpgsql",
        ),
        definer_function(
            "accounts_deletions_due", "p_now timestamptz", "TABLE (what text, id uuid)", DUE
        ),
    ]
